//! The sound of hits: clicks, thuds and pings, louder for harder hits, and falls into pockets.
//!
//! | file | contents |
//! |---|---|
//! | `listener` | the audible hits of a tick, with their places and times |
//! | [`voice`] | one hit, sample by sample |
//! | [`mixer`] | the sum of all hits, without clipping |
//! | [`output`] | the connection to the system's audio |
//!
//! Only `listener` knows the game. It sends a [`Strike`](mixer::Strike) for every audible hit. The
//! [`Mixer`](mixer::Mixer) on the audio thread turns each into a [`Voice`](voice::Voice) and adds them up, and an
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

/// What is audible, and how loud.
#[derive(Resource, Reflect, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default)]
#[serde(default)]
pub struct SoundSettings {
    /// Whether there is sound at all. When off, the system's audio is not in use. Default: yes.
    pub on: bool,
    /// Whether hits and falls into pockets are played automatically. Turn this off in a game with its own sounds for
    /// hits. Sounds from a [`Striker`] are still audible. Default: yes.
    pub hits: bool,
    /// The volume, from 0 to 1. Default: 0.6.
    pub volume: f32,
}

impl Default for SoundSettings {
    fn default() -> Self {
        Self { on: true, hits: true, volume: 0.6 }
    }
}

/// Whether all sound is muted for now, whatever the [`SoundSettings`] say, for example while a page covers the table.
/// Default: no.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Hushed(pub bool);

/// The audio output, while sound is on.
#[derive(Resource, Debug, Default)]
pub struct Sound {
    playing: Option<(Striker, Output)>,
}

impl Sound {
    /// The state of the system's audio, or `None` while sound is off.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.playing.as_ref().map(|(_, output)| output.status())
    }

    /// Plays other sounds besides hits. `None` while sound is off.
    #[must_use]
    pub fn striker(&self) -> Option<&Striker> {
        self.playing.as_ref().map(|(striker, _)| striker)
    }
}

/// Makes hits audible. Add it after the physics and the view.
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

/// A web page may only play sound after it was clicked or a key was pressed.
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
