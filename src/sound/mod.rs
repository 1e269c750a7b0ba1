//! What hits sound like: clicks, thuds and pings, the louder the harder; and what falls into a pocket.
//!
//! | file | what |
//! |---|---|
//! | `listener` | which hits of a tick are heard, from where and when |
//! | [`voice`] | one hit, sample by sample |
//! | [`mixer`] | all of them, without clipping |
//! | [`output`] | the way to the system's audio |
//!
//! Only `listener` knows of the game. It sends a [`Strike`](mixer::Strike) for every hit worth hearing; the
//! [`Mixer`](mixer::Mixer) on the audio's thread turns each into a [`Voice`](voice::Voice) and adds them up; an
//! [`Output`] plays the sum.

mod listener;
pub mod mixer;
pub mod output;
pub mod voice;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

pub use listener::Listener;

use crate::collision::require_physics;

use self::{
    mixer::{Striker, queue},
    output::{Output, Status},
};

/// Whether and how loudly hits are heard.
#[derive(Resource, Reflect, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default)]
#[serde(default)]
pub struct SoundSettings {
    /// Hits are heard. Default: yes. Off, nothing holds the system's audio.
    pub on: bool,
    /// How loudly, from 0 to 1. Default: 0.6.
    pub volume: f32,
}

impl Default for SoundSettings {
    fn default() -> Self {
        Self { on: true, volume: 0.6 }
    }
}

/// Whether nothing is heard for now, whatever the [`SoundSettings`] say, such as of a table behind a page. Default: no.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Hushed(pub bool);

/// What plays, while sound is on.
#[derive(Resource, Debug, Default)]
pub struct Sound {
    playing: Option<(Striker, Output)>,
}

impl Sound {
    /// How far the system's audio has come; none while sound is off.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.playing.as_ref().map(|(_, output)| output.status())
    }

    /// Lets something else be heard beside the hits; none while sound is off.
    #[must_use]
    pub fn striker(&self) -> Option<&Striker> {
        self.playing.as_ref().map(|(striker, _)| striker)
    }
}

/// Lets hits be heard. Add it after the physics and the view.
pub struct SoundPlugin;

impl Plugin for SoundPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<SoundSettings>()
            .init_resource::<SoundSettings>()
            .register_type::<Hushed>()
            .init_resource::<Sound>()
            .init_resource::<Hushed>()
            .add_systems(Update, tune.run_if(may_play))
            .add_plugins(listener::plugin);
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// A page may not be heard before it was touched.
#[cfg(target_arch = "wasm32")]
fn may_play(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    fingers: Option<Res<Touches>>,
    mut touched: Local<bool>,
) -> bool {
    *touched |= keys.is_some_and(|keys| keys.get_just_pressed().next().is_some())
        || buttons.is_some_and(|buttons| buttons.get_just_pressed().next().is_some())
        || fingers.is_some_and(|fingers| fingers.any_just_released());
    *touched
}

#[cfg(not(target_arch = "wasm32"))]
fn may_play() -> bool {
    true
}

/// Opens and closes the output, and sets its volume.
fn tune(settings: Res<SoundSettings>, mut sound: ResMut<Sound>) {
    if !settings.on {
        sound.playing = None;
        return;
    }
    if sound.playing.is_none() {
        let (striker, inbox) = queue();
        striker.set_volume(settings.volume);
        sound.playing = Some((striker, Output::open("carom", inbox)));
    }
    if let (Some((striker, _)), true) = (&sound.playing, settings.is_changed()) {
        striker.set_volume(settings.volume);
    }
}
