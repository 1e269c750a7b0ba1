//! Operates the panel through its accessibility tree, like a screen-reader user: each control is found by name, moved,
//! and reset.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use bevy_egui::egui::{self, Key, Order, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use super::{
    super::{PanelState, Section, field::reset_name, layout},
    all_sections, app,
};
use crate::{
    collision::{
        CollisionSettings, SolverMode,
        spin::{TablePhysics, pair::PairFriction},
    },
    components::{
        AngularVelocity, BumperKick, CollisionLayers, ConstantForce, ConstantTorque, Disc, Inactive, Kinematic, Mass,
        MoveTo, OneWay, Orbit, Oscillation, Position, Radius, Restitution, Rotation, Sensor, StableId, Terrain, TurnTo,
        Velocity,
    },
    editor::{ChosenTerrain, DrawSettings, Tool},
    input::{Aim, ByNumbers, CueSettings, PreviewLength, PreviewSettings, Selection},
    instruments::momenta::MomentumDiagram,
    interpolation::InterpolationSettings,
    laboratory::{EnergyLedger, HitChanges, billiard::BoundaryMap, instruments::Instruments},
    lessons::{experiment::Card, precise_check::Moment},
    motion::MotionSettings,
    scene::{self, DiscLook, SceneSource},
    shell::CaptureSettings,
    sound::SoundSettings,
    timeline::Playback,
    view::{
        Measures, ViewSettings,
        words::language::{add_letters, in_japanese},
    },
};

/// A scene, and a change to it that makes a section show more of its content.
type Situation = (&'static str, fn(&mut World));

/// Together they show every control.
const SITUATIONS: [Situation; 9] = [
    ("nine-ball", |world| {
        let disc = first_disc(world);
        world.resource_mut::<Aim>().by_numbers = Some(ByNumbers { disc, angle: 10.0, speed: 3.0 });
        world.resource_mut::<TablePhysics>().balls = PairFriction::Constant(0.05);
    }),
    ("pile", |world| {
        let disc = first_disc(world);
        let optional =
            (Sensor, CollisionLayers::new(1, !1), BumperKick(1.0), ConstantForce(Vec2::X), ConstantTorque(1.0));
        world.entity_mut(disc).insert((Restitution(0.5), DiscLook { number: Some(3), ..default() }, optional));
        world.resource_mut::<Selection>().0 = vec![disc];
    }),
    ("gas", |world| {
        world.resource_mut::<CollisionSettings>().mode = SolverMode::Continuous;
        let mut preview = world.resource_mut::<PreviewSettings>();
        (preview.length, preview.doubt) = (PreviewLength::All, true);
        let discs = world.query_filtered::<Entity, With<Disc>>().iter(world).take(3).collect();
        world.resource_mut::<Selection>().0 = discs;
    }),
    ("vector-lab", |_| ()),
    ("precise-check", |_| ()),
    ("galperin", |_| ()),
    ("bumpers", |world| {
        choose_terrain(world, |terrain| matches!(terrain, Terrain::Circle { .. }));
        world.resource_mut::<Measures>().grid_width = Some(0.5);
        world.resource_mut::<DrawSettings>().restitution = Some(0.5);
        world.insert_resource(Tool::Bumper);
    }),
    ("corners", |world| {
        world.insert_resource(Tool::Block);
        let block = choose_terrain(world, |terrain| matches!(terrain, Terrain::Block { .. }));
        let motion = (
            Velocity(Vec2::X),
            AngularVelocity(Vec3::Z),
            MoveTo(Vec2::X),
            TurnTo(1.0),
            Oscillation::default(),
            Orbit::default(),
        );
        let filter = (OneWay::Toward(Vec2::Y), Sensor, CollisionLayers::ALL, BumperKick(1.0), Inactive);
        world.entity_mut(block).insert((Restitution(0.5), motion, filter));
    }),
    ("gas", |world| {
        world.spawn(Terrain::Segment { a: Vec2::ZERO, b: Vec2::X });
        choose_terrain(world, |terrain| matches!(terrain, Terrain::Segment { .. }));
    }),
];

fn choose_terrain(world: &mut World, is_it: fn(&Terrain) -> bool) -> Entity {
    let mut pieces = world.query::<(Entity, &Terrain)>();
    let piece = pieces.iter(world).find(|(_, terrain)| is_it(terrain)).map(|(piece, _)| piece);
    let piece = piece.expect("the scene has such terrain");
    world.resource_mut::<ChosenTerrain>().0 = Some(piece);
    piece
}

fn first_disc(world: &mut World) -> Entity {
    world.query_filtered::<Entity, With<Disc>>().iter(world).next().expect("the scene has discs")
}

fn begin((scene, prepare): Situation) -> App {
    let mut app = app();
    let source = SceneSource::Shipped(scene);
    let file = source.load().unwrap();
    scene::spawn(app.world_mut(), source, file).unwrap();
    app.update();
    prepare(app.world_mut());
    app
}

/// A single section with everything in it unfolded.
fn open(situation: Situation, section: Section) -> Option<Harness<'static, App>> {
    let app = begin(situation);
    if !(section.applies)(app.world()) {
        return None;
    }
    let show = move |ui: &mut egui::Ui, app: &mut App| (section.show)(ui, app.world_mut());
    let mut harness = Harness::builder().with_size([480.0, 2400.0]).build_ui_state(show, app);
    for header in ["Advanced", "Cue properties", "What to vary", "For teachers"] {
        if let Some(header) = harness.query_by_role_and_label(Role::Button, header) {
            header.click();
        }
        harness.run_steps(3);
    }
    Some(harness)
}

/// A section is never wider than the narrowest panel, in any language. A wider one would push the panel over the table.
#[test]
fn sections_are_no_wider_than_the_panel() {
    let width = layout::LEAST_CONTENT;
    let check = |language: &str| {
        let mut wide = BTreeSet::new();
        for situation in SITUATIONS {
            let mut app = begin(situation);
            let ctx = egui::Context::default();
            add_letters(&ctx);
            let room = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, 4000.0));
            for section in all_sections() {
                if !(section.applies)(app.world()) {
                    continue;
                }
                let mut needed = 0.0;
                for _ in 0..3 {
                    let input = egui::RawInput { screen_rect: Some(room.expand(200.0)), ..default() };
                    let mut output = ctx.run_ui(input, |ui| {
                        let builder = egui::UiBuilder::new().max_rect(room).id_salt(section.name);
                        let mut ui = ui.new_child(builder);
                        (section.show)(&mut ui, app.world_mut());
                        needed = ui.min_rect().width();
                    });
                    output.textures_delta.clear();
                }
                if needed > width + 0.5 {
                    wide.insert(format!("{language}: {} in {}: {needed}", section.name, situation.0));
                }
            }
        }
        assert!(wide.is_empty(), "wider than {width}: {wide:#?}");
    };
    check("English");
    in_japanese(|| check("Japanese"));
}

fn sections() -> impl Iterator<Item = (Situation, Section)> {
    let sections = all_sections();
    SITUATIONS
        .into_iter()
        .flat_map(move |situation| sections.clone().into_iter().map(move |section| (situation, section)))
}

/// A control.
#[derive(Clone, Debug)]
struct Control {
    role: Role,
    name: String,
    place: egui::Rect,
    usable: bool,
}

fn controls(harness: &Harness<App>) -> Vec<Control> {
    const OPERATED: [Role; 7] = [
        Role::Slider,
        Role::SpinButton,
        Role::CheckBox,
        Role::ComboBox,
        Role::Button,
        Role::TextInput,
        Role::ColorWell,
    ];
    let nodes = harness.root().children_recursive().filter(|node| OPERATED.contains(&node.accesskit_node().role()));
    let control = |node: egui_kittest::Node| {
        let (place, it) = (node.rect(), node.accesskit_node());
        Control { role: it.role(), name: it.label().unwrap_or_default(), place, usable: !it.is_disabled() }
    };
    nodes.map(control).collect()
}

fn click(harness: &mut Harness<App>, at: egui::Pos2) {
    harness.hover_at(at);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(3);
}

/// The optional components.
fn optional(it: EntityRef) -> String {
    let motion = (it.get::<Velocity>(), it.get::<AngularVelocity>(), it.get::<MoveTo>(), it.get::<TurnTo>());
    let filter = (it.get::<OneWay>(), it.get::<CollisionLayers>(), it.get::<BumperKick>(), it.contains::<Sensor>());
    let rest = (it.get::<Oscillation>(), it.get::<Orbit>(), it.get::<ConstantForce>(), it.get::<ConstantTorque>());
    format!("{motion:?} {filter:?} {rest:?}")
}

/// All settings and the values of the selected discs, for comparison.
fn state(harness: &mut Harness<App>) -> String {
    let world = harness.state_mut().world_mut();
    let chosen = world.resource::<Selection>().0.clone();
    let mut discs = world.query_filtered::<(
        (&Position, &Velocity, &Radius, &Mass, &StableId),
        (Option<&Restitution>, Option<&DiscLook>, Option<&Kinematic>),
    ), With<Disc>>();
    let discs: Vec<String> = chosen.iter().map(|&disc| format!("{:?}", discs.get(world, disc).ok())).collect();
    let mut terrain = world.query::<(&Terrain, &Position, &Rotation, Option<&Restitution>)>();
    let chosen = world.resource::<ChosenTerrain>().0;
    let terrain = chosen.map(|piece| format!("{:?}", terrain.get(world, piece).ok()));
    let world = &*world;
    let piece = world.resource::<ChosenTerrain>().0;
    let optional: Vec<String> =
        world.resource::<Selection>().0.iter().copied().chain(piece).map(|it| optional(world.entity(it))).collect();
    format!(
        "{discs:?} {terrain:?} {optional:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        world.resource::<crate::debug::PhysicsDebug>(),
        world.resource::<DrawSettings>(),
        world.resource::<Measures>(),
        world.resource::<CollisionSettings>(),
        world.resource::<MotionSettings>(),
        world.resource::<Playback>(),
        (world.resource::<ViewSettings>(), world.resource::<InterpolationSettings>()),
        world.resource::<PreviewSettings>(),
        world.resource::<CueSettings>(),
        world.resource::<SoundSettings>(),
        world.resource::<CaptureSettings>(),
        world.resource::<PanelState>().text_size,
        (world.resource::<Moment>(), world.resource::<Card>(), world.resource::<BoundaryMap>().is_on()),
        world.resource::<Aim>().by_numbers,
        world.get_resource::<TablePhysics>(),
        (
            world.resource::<MomentumDiagram>(),
            world.resource::<HitChanges>().keeps,
            world.resource::<EnergyLedger>().is_on(),
            world.resource::<Instruments>(),
        ),
    )
}

/// Operates a control until something changes.
fn operate(harness: &mut Harness<App>, control: &Control) {
    let before = state(harness);
    let place = control.place;
    let along = |share: f32| place.left_center() + egui::vec2(share * place.width(), 0.0);
    match control.role {
        Role::Slider => {
            for share in [0.3, 0.7] {
                if state(harness) == before {
                    click(harness, along(share));
                }
            }
        }
        Role::SpinButton => {
            for text in ["2.37", "0.61"] {
                if state(harness) == before {
                    click(harness, place.center());
                    harness.event(egui::Event::Text(text.to_owned()));
                    harness.key_press(Key::Enter);
                    harness.run_steps(3);
                }
            }
        }
        Role::ComboBox => {
            let others: BTreeSet<String> = controls(harness).into_iter().map(|control| control.name).collect();
            click(harness, place.center());
            let choices: Vec<_> = controls(harness).into_iter().filter(|it| !others.contains(&it.name)).collect();
            assert!(choices.len() > 1, "{} offers {choices:?}", control.name);
            for choice in choices {
                if state(harness) == before {
                    click(harness, choice.place.center());
                    if state(harness) == before {
                        click(harness, place.center());
                    }
                }
            }
        }
        _ => click(harness, place.center()),
    }
}

#[test]
fn every_control_has_a_name_of_its_own_and_says_what_it_is_for() {
    let mut count = 0;
    for (situation, section) in sections() {
        let Some(mut harness) = open(situation, section) else { continue };
        let mut names = BTreeSet::new();
        for control in controls(&harness) {
            let place = format!("{control:?} of {} in {}", section.name, situation.0);
            assert!(control.name.chars().any(char::is_alphabetic), "nameless: {place}");
            assert!(names.insert(control.name.clone()), "two of the same name: {place}");
            harness.hover_at(control.place.center());
            harness.run_steps(4);
            let tooltips = |ctx: &egui::Context| {
                ctx.memory(|memory| memory.areas().visible_layer_ids().iter().any(|it| it.order == Order::Tooltip))
            };
            assert!(tooltips(&harness.ctx), "no tooltip: {place}");
            harness.remove_cursor();
            harness.run_steps(2);
            assert!(!tooltips(&harness.ctx), "the tooltip stays: {place}");
            count += 1;
        }
    }
    assert!(count > 500, "{count} controls");
}

#[test]
fn every_slider_switch_and_choice_can_be_operated_and_reset() {
    // Whether each of them was enabled somewhere.
    let mut used: BTreeMap<(&str, String), bool> = BTreeMap::new();
    for (situation, section) in sections() {
        let Some(mut harness) = open(situation, section) else { continue };
        let all = controls(&harness);
        let of_rows = [Role::Slider, Role::SpinButton, Role::CheckBox, Role::ComboBox];
        for control in all.iter().filter(|control| of_rows.contains(&control.role) && control.name != "Scene") {
            let was_used = used.entry((section.name, control.name.clone())).or_default();
            if !control.usable {
                continue;
            }
            *was_used = true;
            let row = control.name.trim_end_matches(", number");
            let reset = all.iter().find(|it| it.role == Role::Button && it.name == reset_name(row));
            let place = format!("{control:?} of {} in {}", section.name, situation.0);
            // The scene's value comes from a fresh section, since a reset may change the rows.
            let origin = reset.map(|reset| {
                let mut harness = open(situation, section).expect("it applies");
                click(&mut harness, reset.place.center());
                state(&mut harness)
            });
            let before = state(&mut harness);
            operate(&mut harness, control);
            assert_ne!(state(&mut harness), before, "it moves nothing: {place}");
            if let (Some(reset), Some(origin)) = (reset, origin) {
                click(&mut harness, reset.place.center());
                assert_eq!(state(&mut harness), origin, "it is not reset: {place}");
            }
            // The section may have changed, so the next control is looked up in a fresh one.
            harness = open(situation, section).expect("it applies");
        }
    }
    let never: Vec<_> = used.iter().filter(|(_, used)| !**used).map(|(name, _)| name).collect();
    assert!(never.is_empty(), "never usable: {never:?}");
    assert!(used.len() > 60, "{} controls", used.len());
}
