//! The plots as a person uses them.

use bevy_egui::egui::{Ui, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::{
    components::{Disc, Position, Velocity},
    instruments::test_support::started,
    notice::Notices,
    timeline::advance,
};

/// The content of the window, with the plots open.
fn shown(scene: &'static str) -> Harness<'static, App> {
    let mut app = started(scene);
    app.world_mut().resource_mut::<Plots>().open = true;
    let show = |ui: &mut Ui, app: &mut App| {
        window::show_content(ui, app.world_mut());
    };
    Harness::builder().with_size([620.0, 1400.0]).build_ui_state(show, app)
}

fn click(harness: &mut Harness<App>, name: &str) {
    harness.get_by_role_and_label(Role::Button, name).click();
    harness.run_steps(3);
}

/// Chooses an item of a list.
fn choose(harness: &mut Harness<App>, list: &str, item: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run_steps(3);
    harness.get_by_role_and_label(Role::Button, item).click();
    harness.run_steps(3);
}

fn channels(harness: &Harness<App>) -> Vec<Channel> {
    harness.state().world().resource::<Plots>().curves().iter().map(|curve| curve.channel).collect()
}

fn samples(harness: &Harness<App>, place: usize) -> Vec<[f64; 2]> {
    let world = harness.state().world();
    let curve = world.resource::<Plots>().curves()[place];
    let recording = world.resource::<Recorder>().get(curve.recording).unwrap();
    recording.samples().map(|sample| [sample.x, sample.y]).collect()
}

#[test]
fn a_curve_is_added_chosen_recorded_and_removed() {
    let mut harness = shown("gas");
    click(&mut harness, "Add a curve");
    choose(&mut harness, "Variable of curve 1", "Hits");
    assert_eq!(channels(&harness), [Channel::new(Subject::Table, Variable::Hits)]);
    advance(harness.state_mut().world_mut(), 50);
    harness.run_steps(2);
    let hits = samples(&harness, 0);
    assert!(hits.len() == 50 && hits.is_sorted_by(|a, b| a[1] <= b[1]), "{hits:?}");
    choose(&mut harness, "Subject of curve 1", "Disc");
    let [Channel { subject: Subject::Disc(_), variable }] = channels(&harness)[..] else { panic!("it is a disc") };
    assert!(variable.is_of(crate::laboratory::SubjectKind::Disc), "{variable:?}: a disc has no count of all hits");
    assert!(samples(&harness, 0).is_empty(), "another curve restarts");
    for _ in 0..7 {
        if harness.query_by_role_and_label(Role::Button, "Add a curve").is_some() {
            click(&mut harness, "Add a curve");
        }
    }
    assert_eq!(channels(&harness).len(), MOST_CURVES);
    click(&mut harness, "Remove curve 6");
    assert_eq!(channels(&harness).len(), MOST_CURVES - 1);
}

#[test]
fn the_button_opens_the_plots_in_a_narrow_panel_and_they_are_recorded_while_hidden() {
    let show = |ui: &mut Ui, app: &mut App| show_button(ui, app.world_mut());
    let mut harness = Harness::builder().with_size([400.0, 1400.0]).build_ui_state(show, started("gas"));
    assert!(harness.query_by_role_and_label(Role::Button, "Add a curve").is_none());
    click(&mut harness, "Plot anything…");
    assert_eq!(channels(&harness), [Channel::new(Subject::Table, Variable::TotalEnergy)]);
    assert!(harness.query_by_role_and_label(Role::Button, "Add a curve").is_some());
    click(&mut harness, "Hide the plots");
    assert!(harness.query_by_role_and_label(Role::Button, "Add a curve").is_none());
    advance(harness.state_mut().world_mut(), 10);
    assert_eq!(samples(&harness, 0).len(), 10);
}

#[test]
fn curves_follow_the_selection_or_stay_with_their_discs() {
    let mut harness = shown("two-discs");
    let world = harness.state_mut().world_mut();
    let mut discs = world.query_filtered::<(Entity, &StableId), With<Disc>>();
    let mut discs: Vec<(u64, Entity)> = discs.iter(world).map(|(disc, id)| (id.0, disc)).collect();
    discs.sort_unstable();
    world.resource_mut::<Selection>().0 = discs.iter().map(|(_, disc)| *disc).collect();
    harness.run_steps(2);
    click(&mut harness, "Add the selected discs");
    let fixed: Vec<Channel> = discs.iter().map(|&(id, _)| Channel::new(Subject::Disc(id), Variable::Speed)).collect();
    assert_eq!(channels(&harness), fixed);
    click(&mut harness, "Add a curve");
    choose(&mut harness, "Subject of curve 3", "Selected disc");
    for (id, disc) in [discs[1], discs[0]] {
        harness.state_mut().world_mut().resource_mut::<Selection>().0 = vec![disc];
        let world = harness.state_mut().world_mut();
        world.run_system_cached(follow_selection).unwrap();
        assert_eq!(world.resource::<Recorder>().followed()[0], Some(id));
        assert!(world.get::<Position>(disc).is_some());
    }
}

#[test]
fn all_curves_are_drawn_against_another_variable() {
    let mut harness = shown("two-discs");
    click(&mut harness, "Add a curve");
    choose(&mut harness, "Subject of curve 1", "Disc");
    choose(&mut harness, "Variable of curve 1", "vx");
    choose(&mut harness, "Against", "its own x");
    assert!(harness.query_by_label("x (m)").is_some(), "the axis has its unit");
    let world = harness.state_mut().world_mut();
    advance(world, 3);
    let Subject::Disc(id) = channels(&harness)[0].subject else { panic!("it is a disc") };
    let world = harness.state_mut().world_mut();
    let mut discs = world.query::<(&StableId, &Position, &Velocity)>();
    let (_, position, velocity) = discs.iter(world).find(|(stable, ..)| stable.0 == id).unwrap();
    let expected = [f64::from(position.x), f64::from(velocity.x)];
    assert_eq!(samples(&harness, 0).last(), Some(&expected));
}

#[test]
fn two_cursors_tell_values_mean_and_slope() {
    let mut harness = shown("two-discs");
    let world = harness.state_mut().world_mut();
    world.spawn((Disc, StableId(900), Position(Vec2::splat(50.0)), Velocity(vec2(2.0, 0.0))));
    world.resource_scope(|world, mut plots: Mut<Plots>| {
        let x = Channel::new(Subject::Disc(900), Variable::X);
        plots.add(&mut world.resource_mut::<Recorder>(), x);
    });
    advance(harness.state_mut().world_mut(), 200);
    harness.run_steps(2);
    harness.get_by_label("Cursors").click();
    harness.run_steps(3);
    assert!(harness.query_by_role_and_label(Role::SpinButton, "Cursor A").is_some());
    let recorded = harness.state().world().resource::<Recorder>().time();
    let plots = harness.state().world().resource::<Plots>().clone();
    let cursors = plots.cursors.expect("they are shown");
    assert!(0.0 < cursors[0] && cursors[0] < cursors[1] && cursors[1] < recorded, "{cursors:?} of {recorded}");
    let recorder = harness.state().world().resource::<Recorder>();
    let recording = recorder.get(plots.curves()[0].recording).unwrap();
    let [.., slope] = cursors::row(recording, cursors, "m");
    assert_eq!(slope, "2.000 m/s", "the velocity");
    let [a, b] = cursors;
    let [_, _, difference, ..] = cursors::row(recording, cursors, "m");
    let difference: f64 = difference.trim_end_matches(" m").parse().unwrap();
    assert!((difference / (2.0 * (b - a)) - 1.0).abs() < 0.05, "{difference}: to a tick at each end");
}

#[test]
fn the_table_and_the_drawing_have_all_curves() {
    let mut harness = shown("two-discs");
    click(&mut harness, "Add a curve");
    click(&mut harness, "Add a curve");
    choose(&mut harness, "Variable of curve 2", "Speed");
    advance(harness.state_mut().world_mut(), 10);
    harness.run_steps(2);
    let world = harness.state().world();
    let (plots, recorder) = (world.resource::<Plots>(), world.resource::<Recorder>());
    let table = export::csv(plots, recorder).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines[0], lines.len()), ("curve,time,x,value,least,greatest", 21));
    assert!(lines[1].starts_with("Whole table: Kinetic energy (J),"), "{}", lines[1]);
    assert!(lines[11].starts_with("Whole table: Speed (m/s),"), "{}", lines[11]);
    let drawing = export::svg(plots, recorder, world.resource::<crate::view::Theme>());
    assert_eq!(drawing.matches("<polyline").count(), 2);
    assert!(drawing.starts_with("<svg") && drawing.contains("time (s)") && !drawing.contains("NaN"));
    harness.get_by_role_and_label(Role::Button, "Copy CSV").click();
    harness.run_steps(3);
    let notices = harness.state().world().resource::<Notices>();
    assert!(notices.iter().any(|notice| notice.text.contains("clipboard")));
}
