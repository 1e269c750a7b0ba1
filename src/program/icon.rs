//! The picture of the program, for the bar of tasks and the title of its windows.

use bevy::{ecs::system::NonSendMarker, prelude::*, winit::WINIT_WINDOWS};
use winit::window::Icon;

/// 64 × 64 pixels.
const PICTURE: &[u8] = include_bytes!("../../assets/icons/carom-64.png");

/// Gives every window the icon.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show_icon);
}

/// The windows that have it.
#[derive(Component)]
struct WithIcon;

fn show_icon(windows: Query<Entity, (With<Window>, Without<WithIcon>)>, mut commands: Commands, _: NonSendMarker) {
    for entity in &windows {
        WINIT_WINDOWS.with_borrow(|known| {
            // It is there some time after its entity.
            let Some(window) = known.get_window(entity) else { return };
            window.set_window_icon(Some(icon()));
            commands.entity(entity).insert(WithIcon);
        });
    }
}

fn icon() -> Icon {
    let (width, height, rgba) = read(PICTURE).expect("a test reads the picture");
    Icon::from_rgba(rgba, width, height).expect("a test reads the picture")
}

/// Width, height and pixels of a PNG of eight bits a channel.
fn read(png: &[u8]) -> Result<(u32, u32, Vec<u8>), png::DecodingError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info()?;
    let mut rgba = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut rgba)?;
    rgba.truncate(frame.buffer_size());
    Ok((frame.width, frame.height, rgba))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_can_be_read() {
        let (width, height, rgba) = read(PICTURE).unwrap();
        assert_eq!((width, height, rgba.len()), (64, 64, 64 * 64 * 4));
        icon();
    }
}
