//! The icon of the program, for the task bar and the title bars of its windows.

use bevy::{ecs::system::NonSendMarker, prelude::*, winit::WINIT_WINDOWS};
use winit::window::Icon;

use super::image_files::{Frame, unpack};

/// 64 × 64 pixels.
const PICTURE: &[u8] = include_bytes!("../../assets/icons/carom-64.png");

/// Gives every window the icon.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show_icon);
}

/// Marks windows that have the icon.
#[derive(Component)]
struct WithIcon;

fn show_icon(windows: Query<Entity, (With<Window>, Without<WithIcon>)>, mut commands: Commands, _: NonSendMarker) {
    for entity in &windows {
        WINIT_WINDOWS.with_borrow(|known| {
            // The system's window exists some time after its entity.
            let Some(window) = known.get_window(entity) else { return };
            window.set_window_icon(Some(icon()));
            commands.entity(entity).insert(WithIcon);
        });
    }
}

fn icon() -> Icon {
    let Frame { pixels, size } = unpack(PICTURE).expect("a test reads the picture");
    Icon::from_rgba(pixels, size.x, size.y).expect("a test reads the picture")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_can_be_read() {
        let Frame { pixels, size } = unpack(PICTURE).unwrap();
        assert_eq!((size, pixels.len()), (UVec2::splat(64), 64 * 64 * 4));
        icon();
    }
}
