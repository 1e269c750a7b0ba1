//! The joints of the selected discs, or all joints: their kind and their values, live. Changes can be undone and are
//! saved with the scene.

use bevy::prelude::*;
use bevy_egui::egui::{Align, Button, Layout, RichText, Ui};
use tr::tr;

use super::{field::Field, widgets::put};
use crate::{
    components::{Joint, JointEnd, JointKind, StableId},
    editor::{self, JointForm},
    input::Selection,
    number::decimals,
    view::Named,
};

/// The most joints to show.
const MOST: usize = 24;

/// Whether there are any joints.
pub(super) fn applies(world: &World) -> bool {
    world.try_query_filtered::<(), With<Joint>>().is_some_and(|mut joints| joints.iter(world).next().is_some())
}

/// Whether a selected disc has joints.
pub(super) fn of_selection(world: &World) -> bool {
    let Some(selection) = world.get_resource::<Selection>().filter(|selection| !selection.0.is_empty()) else {
        return false;
    };
    let holds = |joint: &Joint| joint.discs().any(|disc| selection.0.contains(&disc));
    world.try_query::<&Joint>().is_some_and(|mut joints| joints.iter(world).any(holds))
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let is_part = of_selection(world);
    let chosen = if is_part { world.resource::<Selection>().0.clone() } else { Vec::new() };
    let mut joints: Vec<_> = world.query::<(&StableId, Entity, &Joint)>().iter(world).collect();
    joints.retain(|(.., joint)| !is_part || joint.discs().any(|disc| chosen.contains(&disc)));
    joints.sort_unstable_by_key(|(id, entity, _)| (**id, *entity));
    let count = joints.len();
    let joints: Vec<_> = joints.into_iter().take(MOST).map(|(id, entity, joint)| (id.0, entity, *joint)).collect();
    ui.weak(if is_part { tr!("{} joints of the selection", count) } else { tr!("{} joints", count) });
    for (id, entity, was) in joints {
        let mut now = Some(was);
        ui.push_id(entity, |ui| show_joint(ui, world, id, &mut now));
        if !editor::is_same(&now, &Some(was)) {
            editor::watch_also(world, &[entity]);
            put(world, entity, now);
        }
    }
    if count > MOST {
        ui.weak(tr!("Select a disc to see its joints."));
    }
}

/// Shows a joint, which may be edited or removed.
fn show_joint(ui: &mut Ui, world: &mut World, id: u64, joint: &mut Option<Joint>) {
    let Some(now) = joint else { return };
    let mut is_removed = false;
    ui.horizontal(|ui| {
        let ends = now.ends.map(|end| end_in_words(world, end)).join(" – ");
        let title = ui.add(Button::new(RichText::new(ends).strong()).frame(false));
        if title.on_hover_text(tr!("Selects what the joint connects")).clicked()
            && let Some(mut selection) = world.get_resource_mut::<Selection>()
        {
            selection.0 = now.discs().collect();
        }
        show_kind(ui, id, &mut now.kind);
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let button = ui.add(Button::new("×").frame(false).small()).named(tr!("Remove joint {}", id));
            is_removed = button.on_hover_text(tr!("Removes the joint")).clicked();
        });
    });
    show_values(ui, id, &mut now.kind);
    if is_removed {
        *joint = None;
    }
}

/// A disc by its number, a point by its coordinates.
fn end_in_words(world: &World, end: JointEnd) -> String {
    match end {
        JointEnd::Disc(disc) => world.get::<StableId>(disc).map_or_else(|| "?".to_owned(), |id| id.0.to_string()),
        JointEnd::Point(at) => format!("({}, {})", decimals(at.x, 2), decimals(at.y, 2)),
    }
}

fn show_kind(ui: &mut Ui, id: u64, kind: &mut JointKind) {
    let was = JointForm::of(kind);
    let mut now = was;
    let help = tr!("A spring pulls and pushes. A rod keeps its length. A rope limits the distance.");
    let field = Field::new(tr!("Kind of joint {}", id), &*help);
    field.chooser(ui, &mut now, &JointForm::ALL, |chooser| chooser.width(72.0)).on_hover_text(&help);
    if now != was {
        *kind = now.with_length(kind.length());
    }
}

fn show_values(ui: &mut Ui, id: u64, kind: &mut JointKind) {
    let was = *kind;
    let mut show = |name: String, help: String, value: &mut f32, unit: &str, speed: f32| {
        let reader = tr!("{} of joint {}", name, id);
        let field = Field::new(name, help).named(reader).unit(unit).digits(4).speed(f64::from(speed));
        field.row(ui, |ui, field| field.number(ui, value));
    };
    let share = |value: f32| (value.abs() * 0.01).clamp(1e-4, 1e4);
    let length_help = match kind {
        JointKind::Spring { .. } => tr!("Rest length, m; 0 or more"),
        JointKind::Rod { .. } => tr!("Distance it keeps, m; above 0"),
        JointKind::Rope { .. } => tr!("Longest distance it allows, m; above 0"),
    };
    let (JointKind::Spring { length, .. } | JointKind::Rod { length } | JointKind::Rope { length, .. }) = kind;
    let speed = share(*length).min(0.05);
    show(tr!("Length"), length_help, length, " m", speed);
    match kind {
        JointKind::Spring { stiffness, damping, .. } => {
            let speed = share(*stiffness).max(0.1);
            show(tr!("Stiffness"), tr!("Force per length, N/m; 0 or more"), stiffness, " N/m", speed);
            show(tr!("Damping"), tr!("Force per speed, N s/m; 0 or more"), damping, " N s/m", 0.05);
        }
        JointKind::Rod { .. } => {}
        JointKind::Rope { restitution, .. } => {
            let help = tr!("Rebound along the rope when it becomes taut, 0 to 1");
            show(tr!("Restitution"), help, restitution, "", 0.005);
        }
    }
    if let Err(problem) = kind.check() {
        // An invalid change is not applied; the message is that of the last attempt.
        ui.colored_label(ui.visuals().error_fg_color, problem.to_string());
        *kind = was;
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, Key};
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};
    use crate::{
        editor::{EditHistory, UndoPlugin},
        panel::hold,
        scene::{self, SceneFile, SceneSource},
    };

    const SCENE: &str = "(discs: [(id: 0, position: (0, 0)), (id: 1, position: (2, 0)), (id: 2, position: (4, 0))], \
        joints: [(ends: (Disc(0), Disc(1)), kind: Rod(length: 2)), \
        (ends: (Disc(1), Disc(2)), kind: Spring(length: 2, stiffness: 50)), \
        (ends: (Disc(2), Point(4, 3)), kind: Rope(length: 3))])";

    fn harness() -> Harness<'static, App> {
        let mut app = app();
        app.add_plugins(UndoPlugin);
        let file = SceneFile::parse(SCENE, "test.ron").unwrap();
        scene::spawn(app.world_mut(), SceneSource::Shipped("gas"), file).unwrap();
        app.update();
        let show = |ui: &mut Ui, app: &mut App| {
            editor::watch(app.world_mut(), hold(ui.ctx()), |world| super::show(ui, world));
        };
        let mut harness = Harness::builder().with_size([480.0, 600.0]).build_ui_state(show, app);
        harness.run_steps(2);
        harness
    }

    fn kinds(harness: &mut Harness<App>) -> Vec<JointKind> {
        let world = harness.state_mut().world_mut();
        let mut joints: Vec<_> = world.query::<(&StableId, &Joint)>().iter(world).collect();
        joints.sort_unstable_by_key(|(id, _)| **id);
        joints.into_iter().map(|(_, joint)| joint.kind).collect()
    }

    fn ids(harness: &mut Harness<App>) -> Vec<u64> {
        let world = harness.state_mut().world_mut();
        let mut ids: Vec<_> = world.query_filtered::<&StableId, With<Joint>>().iter(world).map(|id| id.0).collect();
        ids.sort_unstable();
        ids
    }

    fn write(harness: &mut Harness<App>, field: &str, text: &str) {
        harness.get_by_label(field).click();
        harness.run_steps(2);
        harness.event(Event::Text(text.to_owned()));
        harness.key_press(Key::Enter);
        harness.run_steps(2);
    }

    #[test]
    fn a_value_is_tuned_taken_back_and_saved() {
        let mut harness = harness();
        let ids = ids(&mut harness);
        assert!(applies(harness.state().world()) && !of_selection(harness.state().world()));
        write(&mut harness, &format!("Stiffness of joint {}", ids[1]), "70");
        let spring = |stiffness| JointKind::Spring { length: 2.0, stiffness, damping: 0.0 };
        assert_eq!(kinds(&mut harness)[1], spring(70.0));
        assert_eq!(harness.state().world().resource::<EditHistory>().len(), 1, "as one edit");
        let saved = SceneFile::capture(harness.state_mut().world_mut());
        assert_eq!(saved.joints[1].kind, spring(70.0));
        editor::undo(harness.state_mut().world_mut());
        assert_eq!(kinds(&mut harness)[1], spring(50.0));
    }

    #[test]
    fn what_makes_no_sense_is_not_taken_over() {
        let mut harness = harness();
        let ids = ids(&mut harness);
        let before = kinds(&mut harness);
        write(&mut harness, &format!("Length of joint {}", ids[0]), "-1");
        write(&mut harness, &format!("Restitution of joint {}", ids[2]), "1.5");
        assert_eq!(kinds(&mut harness), before);
    }

    #[test]
    fn one_is_removed_and_comes_back() {
        let mut harness = harness();
        let ids = ids(&mut harness);
        harness.get_by_label(&format!("Remove joint {}", ids[0])).click();
        harness.run_steps(2);
        assert_eq!(kinds(&mut harness).len(), 2);
        assert_eq!(SceneFile::capture(harness.state_mut().world_mut()).joints.len(), 2);
        editor::undo(harness.state_mut().world_mut());
        assert_eq!(kinds(&mut harness)[0], JointKind::Rod { length: 2.0 });
    }

    #[test]
    fn those_of_the_selection_are_shown_alone_and_a_title_selects() {
        let mut harness = harness();
        assert!(harness.query_by_label("3 joints").is_some());
        harness.get_by_label("0 – 1").click();
        harness.run_steps(2);
        let world = harness.state().world();
        assert_eq!(world.resource::<Selection>().0.len(), 2);
        assert!(of_selection(world) && harness.query_by_label("2 joints of the selection").is_some());
        assert!(harness.query_by_label("2 – (4.00, 3.00)").is_none());
    }
}
