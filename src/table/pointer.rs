//! Where the mouse is, and whether it and the keyboard are the table's or the panel's to answer.
//!
//! Both are asked anew for every press: a gesture that began on the table goes on over the panel, and a slider that is
//! dragged onto the table goes on sliding.

use bevy::{
    prelude::*,
    window::{PrimaryWindow, WindowEvent},
};
use bevy_egui::{EguiContexts, egui};

use crate::view::Viewport;

/// The mouse pointer; none while it is outside of the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// In logical pixels of the window, y down.
    pub screen: Option<Vec2>,
    /// In the world, metres.
    pub world: Option<Vec2>,
    /// Where it was when a button went down in this frame, logical pixels. In a slow frame it has moved on since.
    pub pressed: Option<Vec2>,
    /// Where it was when a button went up in this frame, logical pixels.
    pub released: Option<Vec2>,
}

/// Which inputs are free for the table in this frame.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// A press of the mouse is the table's.
    pub mouse: bool,
    /// A press of a key is the table's.
    pub keys: bool,
}

impl Default for Attention {
    fn default() -> Self {
        Self { mouse: true, keys: true }
    }
}

pub(super) fn look(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut events: MessageReader<WindowEvent>,
    viewport: Res<Viewport>,
    mut pointer: ResMut<Pointer>,
) {
    // These come in the order in which they happened, which the messages for moves and for buttons by themselves do not.
    let (mut at, mut pressed, mut released) = (pointer.screen, None, None);
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => at = Some(moved.position),
            WindowEvent::MouseButtonInput(button) if button.state.is_pressed() => pressed = at,
            WindowEvent::MouseButtonInput(_) => released = at,
            _ => {}
        }
    }
    // A pointer dragged out of the window keeps its last place, so that a pull may end there.
    if let Some(screen) = window.and_then(|window| window.cursor_position()).or(at) {
        let now = Pointer { screen: Some(screen), world: Some(viewport.to_world(screen)), pressed, released };
        pointer.set_if_neq(now);
    }
}

pub(super) fn attend(
    mut contexts: EguiContexts,
    pointer: Res<Pointer>,
    viewport: Res<Viewport>,
    mut attention: ResMut<Attention>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let over_egui = pointer.pressed.or(pointer.screen).is_none_or(|at| {
        let layer = ctx.layer_id_at(egui::pos2(at.x, at.y));
        !viewport.area.contains(at) || layer.is_some_and(|layer| layer.order != egui::Order::Background)
    });
    let mouse = !over_egui && !ctx.egui_is_using_pointer() && !ctx.any_popup_open();
    let keys = !ctx.egui_wants_keyboard_input();
    attention.set_if_neq(Attention { mouse, keys });
    Ok(())
}
