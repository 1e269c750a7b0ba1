//! The position of the mouse, and whether mouse and keyboard belong to the table or to the panel.
//!
//! Both are decided for every press. A gesture that started on the table continues over the panel, and a slider dragged
//! onto the table keeps sliding.

use bevy::{
    prelude::*,
    window::{PrimaryWindow, WindowEvent, WindowRef},
};
use bevy_egui::{EguiContexts, egui};

use crate::view::{Covered, Points, Views};

/// The last used pointing device, as far as [`TouchPlugin`](super::TouchPlugin) is there to detect touch. For touch,
/// the help shows gestures instead of keys.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointingDevice {
    /// A mouse, beside a keyboard.
    #[default]
    Mouse,
    /// A finger on a touch screen.
    Finger,
}

/// The mouse pointer. Its position is `None` outside all windows, but while a button is held it keeps the last
/// position. With [`TouchPlugin`](super::TouchPlugin) a finger on the screen acts as the pointer.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Its position in its window, logical pixels, y down.
    pub screen: Option<Vec2>,
    /// Its position in the world through its camera, metres.
    pub world: Option<Vec2>,
    /// Its position when a button went down in this frame, logical pixels. In a slow frame it may have moved since.
    pub pressed: Option<Vec2>,
    /// Its position when a button went up in this frame, logical pixels.
    pub released: Option<Vec2>,
    /// The camera whose area contains it. While a button is held, it is the camera of the press. If `None`, the main
    /// camera counts: [`Views::of`] finds its view.
    pub camera: Option<Entity>,
    /// Its window, if that is not the primary one. Other windows have no panel.
    pub window: Option<Entity>,
}

/// The actions on discs and on the view that mouse and keyboard may perform. Each plugin enables its own when added,
/// and a game may toggle any of them at any time. Default: none.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Controls {
    /// Discs can be pulled back and shot.
    pub shoot: bool,
    /// Discs can be dragged, with Shift or Ctrl.
    pub move_discs: bool,
    /// Discs can be selected with clicks and boxes.
    pub select: bool,
    /// Delete removes the selected discs.
    pub delete: bool,
    /// The view can be zoomed and panned.
    pub camera: bool,
    /// Keys store and show bookmarks of the view, if it can be panned.
    pub bookmarks: bool,
    /// A plain drag grabs a disc instead of shooting it, for code that moves discs itself. No plugin enables it.
    pub hold_by_drag: bool,
}

impl Controls {
    /// Everything. A drag shoots.
    pub const ALL: Self = Self {
        shoot: true,
        move_discs: true,
        select: true,
        delete: true,
        camera: true,
        bookmarks: true,
        hold_by_drag: false,
    };
}

/// Why editing is locked: a sentence for the person, marked for translation. Undo is then off, and so are the panel's
/// sections that edit discs, terrain and physics. [`Controls`] still governs mouse and keyboard. Default: `None`, with
/// editing enabled.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditLock(pub Option<&'static str>);

/// The owners of the left button, by name, such as a drawing tool. Meanwhile, no gestures start with it, and discs do
/// not respond to the pointer.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct PointerCapture(Vec<&'static str>);

impl PointerCapture {
    /// Captures the pointer for `owner`, or releases it. No effect if it already is so.
    pub fn set(&mut self, owner: &'static str, is_held: bool) {
        match (self.is_held_by(owner), is_held) {
            (false, true) => self.0.push(owner),
            (true, false) => self.0.retain(|other| *other != owner),
            _ => {}
        }
    }

    /// Whether `owner` has captured it.
    #[must_use]
    pub fn is_held_by(&self, owner: &'static str) -> bool {
        self.0.contains(&owner)
    }

    /// Whether it is captured at all.
    #[must_use]
    pub fn is_held(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether an owner other than `owner` has captured it.
    #[must_use]
    pub fn is_held_by_others(&self, owner: &'static str) -> bool {
        self.0.iter().any(|other| *other != owner)
    }
}

/// The inputs that are free for the table in this frame.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// A mouse press belongs to the table.
    pub mouse: bool,
    /// A key press belongs to the table.
    pub keys: bool,
}

impl Default for Attention {
    fn default() -> Self {
        Self { mouse: true, keys: true }
    }
}

pub(super) fn look(
    windows: Query<(Entity, &Window, Has<PrimaryWindow>)>,
    mut events: MessageReader<WindowEvent>,
    (views, buttons): (Views, Res<ButtonInput<MouseButton>>),
    (mut pointer, mut has_left): (ResMut<Pointer>, Local<bool>),
) {
    let mut other = pointer.window.filter(|window| windows.contains(*window));
    // These events are in order of time, which the separate messages for moves and for buttons are not.
    let (mut at, mut pressed, mut released) = (pointer.screen, None, None);
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => {
                (at, *has_left) = (Some(moved.position), false);
                other =
                    windows.get(moved.window).ok().filter(|(.., is_primary)| !is_primary).map(|(window, ..)| window);
            }
            WindowEvent::MouseButtonInput(button) if button.state.is_pressed() => pressed = at,
            WindowEvent::MouseButtonInput(_) => released = at,
            WindowEvent::CursorLeft(_) => *has_left = true,
            _ => {}
        }
    }
    // A pointer dragged out of the window keeps its last position, so that a pull may end there.
    let is_outside = *has_left && windows.iter().all(|(_, window, _)| window.cursor_position().is_none());
    if is_outside && buttons.get_pressed().len() + buttons.get_just_released().len() == 0 {
        pointer.set_if_neq(Pointer::default());
        return;
    }
    let window = windows.iter().find(|&(window, _, is_primary)| other.map_or(is_primary, |other| window == other));
    if let Some(screen) = window.and_then(|(_, window, _)| window.cursor_position()).or(at) {
        let shown_in = other.map_or(WindowRef::Primary, WindowRef::Entity);
        // A drag stays with the camera in which it started.
        let held = buttons.get_pressed().len() + buttons.get_just_released().len();
        let is_held = held > buttons.get_just_pressed().len();
        let held = pointer.camera.filter(|camera| is_held && views.camera(Some(*camera)) == Some(*camera));
        let camera = held.or_else(|| views.at_in(shown_in, pressed.unwrap_or(screen)));
        let world = views.get(camera).map(|view| view.to_world(screen));
        let now = Pointer { screen: Some(screen), world, pressed, released, camera, window: other };
        pointer.set_if_neq(now);
    }
}

/// Takes the focus from egui widgets without text that were focused by a click: after clicking a button, the next key
/// is meant for the table. Tab leads into the panel, and Escape back.
pub(super) fn let_go_of_clicked(mut contexts: EguiContexts) -> Result {
    let ctx = contexts.ctx_mut()?;
    if ctx.input(|input| input.pointer.any_released())
        && !ctx.text_edit_focused()
        && let Some(focused) = ctx.memory(egui::Memory::focused)
    {
        ctx.memory_mut(|memory| memory.surrender_focus(focused));
    }
    Ok(())
}

pub(super) fn attend(
    mut contexts: EguiContexts,
    pointer: Res<Pointer>,
    (views, covered): (Views, Option<Res<Covered>>),
    mut attention: ResMut<Attention>,
    mut typed: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let view = views.of(pointer.camera);
    let mouse = pointer.pressed.or(pointer.screen).is_some_and(|at| {
        let covered = pointer.window.is_none() && !is_tables(ctx, view.area, at);
        view.area.contains(at) && !covered
    });
    // The key that released the focus, such as Escape, was meant for the widget. A page that fills the window gets
    // every key.
    let typing = ctx.egui_wants_keyboard_input() || covered.is_some_and(|covered| covered.0);
    let keys = !typing && !std::mem::replace(&mut *typed, typing);
    attention.set_if_neq(Attention { mouse, keys });
    Ok(())
}

/// Whether a press at a position in the window (logical pixels) belongs to the table.
pub(super) fn is_tables(ctx: &egui::Context, area: Rect, at: Vec2) -> bool {
    !is_over_egui(ctx, area, at) && !ctx.egui_is_using_pointer() && !ctx.any_popup_open()
}

/// Whether a position in the window is covered by egui or outside the free area; both in logical pixels.
fn is_over_egui(ctx: &egui::Context, area: Rect, at: Vec2) -> bool {
    let layer = ctx.layer_id_at(Points::of(ctx).place(at));
    !area.contains(at) || layer.is_some_and(|layer| layer.order != egui::Order::Background)
}

#[cfg(test)]
mod tests {
    use bevy::{
        camera::RenderTarget,
        window::{CursorLeft, CursorMoved},
    };

    use super::*;
    use crate::components::{Disc, Position};
    use crate::input::Gesture;
    use crate::view::View2d;

    /// A window of 1000 by 600 with the pointer in it, a camera that fills it, and another camera in its lower left
    /// corner.
    fn two_views() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), crate::input::AimPlugin));
        app.world_mut().spawn((Window::default(), PrimaryWindow));
        let frames = [Rect::new(0.0, 0.0, 1000.0, 600.0), Rect::new(0.0, 400.0, 200.0, 600.0)];
        let cameras = [0, 1].map(|order| {
            let mut view = View2d::default();
            view.centre.x = 10.0 * order as f32;
            view.set_frame(frames[order as usize]);
            app.world_mut().spawn((view, Camera { order, ..default() })).id()
        });
        (app, cameras)
    }

    fn point(app: &mut App, at: Vec2) -> Pointer {
        let mut windows = app.world_mut().query::<&mut Window>();
        windows.single_mut(app.world_mut()).unwrap().set_cursor_position(Some(at));
        app.update();
        *app.world().resource::<Pointer>()
    }

    #[test]
    fn the_pointer_is_in_the_uppermost_view_and_stays_in_that_where_it_was_pressed() {
        let (mut app, [main, corner]) = two_views();
        let at = point(&mut app, vec2(500.0, 300.0));
        assert_eq!((at.camera, at.world), (Some(main), Some(Vec2::ZERO)));
        let at = point(&mut app, vec2(100.0, 500.0));
        assert_eq!((at.camera, at.world), (Some(corner), Some(vec2(10.0, 0.0))));
        // A disc in the middle of the small camera's area is pulled far out of it and released there.
        let disc = app.world_mut().spawn((Disc, Position(vec2(10.0, 0.0)))).id();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        app.update();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        let at = point(&mut app, vec2(300.0, 500.0));
        assert_eq!((at.camera, at.world), (Some(corner), Some(vec2(12.0, 0.0))));
        let Gesture::Aiming { disc: held, grab, pointer, .. } = *app.world().resource::<Gesture>() else {
            panic!("{:?}", app.world().resource::<Gesture>())
        };
        assert_eq!((held, grab, pointer), (disc, vec2(10.0, 0.0), vec2(12.0, 0.0)));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        point(&mut app, vec2(300.0, 500.0));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        let at = point(&mut app, vec2(300.0, 500.0));
        assert_eq!(at.camera, Some(main), "it is free again");
        let velocity = app.world().get::<crate::components::Velocity>(disc).unwrap();
        assert!(velocity.x < 0.0, "it was shot the other way");
    }

    #[test]
    fn it_is_gone_outside_of_the_window_unless_a_button_is_held() {
        let (mut app, _) = two_views();
        let leave = |app: &mut App| {
            let mut windows = app.world_mut().query::<(Entity, &mut Window)>();
            let (window, mut state) = windows.single_mut(app.world_mut()).unwrap();
            state.set_cursor_position(None);
            app.world_mut().write_message(WindowEvent::CursorLeft(CursorLeft { window }));
            app.update();
            app.world().resource::<Pointer>().world
        };
        let at = point(&mut app, vec2(500.0, 300.0)).world;
        assert!(at.is_some());
        assert_eq!(leave(&mut app), None);
        assert_eq!(point(&mut app, vec2(500.0, 300.0)).world, at, "it is back");
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        assert_eq!(leave(&mut app), at, "a pull may end outside");
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        app.update();
        assert_eq!(app.world().resource::<Pointer>().world, at, "where it was let go");
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        app.update();
        assert_eq!(app.world().resource::<Pointer>().world, None);
    }

    #[test]
    fn a_disc_in_another_window_is_pulled_there() {
        let (mut app, [main, _]) = two_views();
        let other = app.world_mut().spawn(Window::default()).id();
        let mut view = View2d::default();
        view.centre.x = 50.0;
        view.set_frame(Rect::new(0.0, 0.0, 400.0, 300.0));
        let target = RenderTarget::Window(WindowRef::Entity(other));
        let camera = app.world_mut().spawn((view, Camera { order: 2, ..default() }, target)).id();
        let disc = app.world_mut().spawn((Disc, Position(vec2(50.0, 0.0)))).id();
        let go = |app: &mut App, at: Vec2| {
            app.world_mut().get_mut::<Window>(other).unwrap().set_cursor_position(Some(at));
            let moved = CursorMoved { window: other, position: at, delta: None };
            app.world_mut().write_message(WindowEvent::CursorMoved(moved));
            app.update();
            *app.world().resource::<Pointer>()
        };
        let at = go(&mut app, vec2(200.0, 150.0));
        assert_eq!((at.window, at.camera, at.world), (Some(other), Some(camera), Some(vec2(50.0, 0.0))));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        go(&mut app, vec2(200.0, 150.0));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        go(&mut app, vec2(100.0, 150.0));
        let Gesture::Aiming { disc: held, pointer, .. } = *app.world().resource::<Gesture>() else {
            panic!("{:?}", app.world().resource::<Gesture>())
        };
        assert_eq!((held, pointer), (disc, vec2(49.0, 0.0)));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        go(&mut app, vec2(100.0, 150.0));
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        assert!(app.world().get::<crate::components::Velocity>(disc).unwrap().x > 0.0);
        // It is closed, and the mouse is in the first one again.
        app.world_mut().despawn(other);
        let at = point(&mut app, vec2(500.0, 300.0));
        assert_eq!((at.window, at.camera), (None, Some(main)));
    }

    #[test]
    fn a_window_of_egui_covers_what_lies_under_it_at_any_zoom() {
        let part = Rect::new(200.0, 100.0, 400.0, 300.0);
        for zoom in [0.75, 1.0, 1.5, 2.0] {
            let ctx = egui::Context::default();
            ctx.set_zoom_factor(zoom);
            for _ in 0..3 {
                let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                    let part = Points::of(ui.ctx()).part(part);
                    egui::Area::new(egui::Id::new("cover")).fixed_pos(part.min).show(ui.ctx(), |ui| {
                        ui.allocate_exact_size(part.size(), egui::Sense::click());
                    });
                });
                output.textures_delta.clear();
            }
            let area = Rect::new(0.0, 0.0, 1000.0, 800.0);
            for at in [vec2(210.0, 110.0), vec2(390.0, 290.0)] {
                assert!(is_over_egui(&ctx, area, at), "{at} at {zoom}");
            }
            for at in [vec2(190.0, 200.0), vec2(410.0, 200.0), vec2(300.0, 90.0), vec2(300.0, 310.0)] {
                assert!(!is_over_egui(&ctx, area, at), "{at} at {zoom}");
            }
        }
    }
}
