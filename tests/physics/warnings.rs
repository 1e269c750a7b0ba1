//! An invalid value is logged once, however often it is written, and again only if it was valid or absent in between.

use bevy::{ecs::schedule::SingleThreadedExecutor, prelude::*};
use carom::prelude::*;
use std::{
    fmt::Write,
    sync::{Arc, Mutex},
};
use tracing::{Event, Level, Metadata, Subscriber, field::Visit, span};

use crate::support;

/// Keeps the text of all warnings of this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &span::Attributes) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event) {
        struct Text(String);
        impl Visit for Text {
            fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                write!(self.0, "{value:?}").unwrap();
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().unwrap().push(text.0);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The warnings in this many ticks; `before_each` writes a value again before each of them.
fn warnings(app: &mut App, ticks: usize, mut before_each: impl FnMut(&mut World)) -> Vec<String> {
    app.edit_schedule(FixedPostUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    let log = Log::default();
    tracing::subscriber::with_default(log.clone(), || {
        for _ in 0..ticks {
            before_each(app.world_mut());
            app.update();
        }
    });
    let mut log = log.0.lock().unwrap();
    std::mem::take(&mut *log)
}

/// The setup, the invalid value, and the component that the warning names.
type Spoil = (fn(&mut EntityWorldMut), fn(&mut EntityWorldMut), &'static str);

fn disc(entity: &mut EntityWorldMut) {
    entity.insert((Disc, Velocity(Vec2::X)));
}

fn kinematic(entity: &mut EntityWorldMut) {
    entity.insert((Disc, Kinematic));
}

fn wall(entity: &mut EntityWorldMut) {
    entity.insert((Terrain::Circle { radius: 1.0 }, Position(Vec2::new(20.0, 0.0))));
}

fn block(entity: &mut EntityWorldMut) {
    entity.insert((Terrain::Circle { radius: 1.0 }, Mass(1.0), Position(Vec2::new(20.0, 0.0))));
}

fn sensor(entity: &mut EntityWorldMut) {
    entity.insert((Terrain::Circle { radius: 1.0 }, Sensor, Position(Vec2::new(20.0, 0.0))));
}

fn pocket(entity: &mut EntityWorldMut) {
    entity.insert((Pocket { radius: 1.0 }, Position(Vec2::new(20.0, 0.0))));
}

const SPOILS: [Spoil; 28] = [
    (disc, |e| _ = e.insert(Position(Vec2::NAN)), "Position is"),
    (disc, |e| _ = e.insert(Velocity(Vec2::NAN)), "Velocity is"),
    (disc, |e| _ = e.insert(Radius(f32::NAN)), "Radius is"),
    (disc, |e| _ = e.insert(Mass(f32::NAN)), "Mass is"),
    (disc, |e| _ = e.insert(Restitution(f32::NAN)), "Restitution is"),
    (disc, |e| _ = e.insert(AngularVelocity(Vec3::NAN)), "AngularVelocity is"),
    (kinematic, |e| _ = e.insert(MoveTo(Vec2::NAN)), "MoveTo is"),
    (disc, |e| _ = e.insert(GravityScale(f32::NAN)), "GravityScale is"),
    (disc, |e| _ = e.insert(LinearDamping(f32::NAN)), "LinearDamping is"),
    (disc, |e| _ = e.insert(ClothFriction(f32::NAN)), "ClothFriction is"),
    (disc, |e| _ = e.insert(ConstantForce(Vec2::NAN)), "ConstantForce is"),
    (disc, |e| _ = e.insert(ConstantTorque(f32::NAN)), "ConstantTorque is"),
    (disc, |e| _ = e.insert(BumperKick(f32::NAN)), "Kick is"),
    (disc, |e| _ = e.insert(Friction(f32::NAN)), "Friction is"),
    (wall, |e| _ = e.insert(SurfaceVelocity(Vec2::NAN)), "SurfaceVelocity is"),
    (wall, |e| _ = e.insert(Position(Vec2::NAN)), "Position is"),
    (wall, |e| _ = e.insert(Rotation(f32::NAN)), "Rotation is"),
    (wall, |e| _ = e.insert(Restitution(f32::NAN)), "Restitution is"),
    (wall, |e| _ = e.insert(Terrain::Circle { radius: f32::NAN }), "Terrain.radius is"),
    (wall, |e| _ = e.insert(TurnTo(f32::NAN)), "TurnTo is"),
    (block, |e| _ = e.insert(MomentOfInertia(f32::NAN)), "MomentOfInertia is"),
    (block, |e| _ = e.insert(GravityScale(f32::NAN)), "GravityScale is"),
    (block, |e| _ = e.insert(LinearDamping(f32::NAN)), "LinearDamping is"),
    (block, |e| _ = e.insert(ClothFriction(f32::NAN)), "ClothFriction is"),
    (block, |e| _ = e.insert(ConstantForce(Vec2::NAN)), "ConstantForce is"),
    (block, |e| _ = e.insert(ConstantTorque(f32::NAN)), "ConstantTorque is"),
    (sensor, |e| _ = e.insert(Position(Vec2::NAN)), "Position is"),
    (pocket, |e| _ = e.insert(Position(Vec2::NAN)), "Position is"),
];

#[test]
fn a_bad_value_that_is_written_before_every_tick_is_named_once() {
    for (k, (make, spoil, named)) in SPOILS.into_iter().enumerate() {
        let mut app = support::app();
        let entity = app.world_mut().spawn_empty().id();
        make(&mut app.world_mut().entity_mut(entity));
        assert_eq!(warnings(&mut app, 2, |_| {}), [""; 0], "{k}");
        let told = warnings(&mut app, 5, |world| spoil(&mut world.entity_mut(entity)));
        let [warning] = &told[..] else { panic!("{k}, {named}: {told:?}") };
        assert!(warning.contains(named) && warning.contains(&format!("{entity}")), "{k}: {warning}");
        // Valid in between.
        app.world_mut().despawn(entity);
        let again = app.world_mut().spawn_empty().id();
        make(&mut app.world_mut().entity_mut(again));
        assert_eq!(warnings(&mut app, 2, |_| {}), [""; 0], "{k}");
        assert_eq!(warnings(&mut app, 2, |world| spoil(&mut world.entity_mut(again))).len(), 1, "{k}, {named}");
    }
}

#[test]
fn an_ignored_value_is_named_again_after_it_was_removed() {
    let mut app = support::app();
    let entity = app.world_mut().spawn((Disc, BumperKick(1.0))).id();
    for _ in 0..2 {
        let told = warnings(&mut app, 3, |world| _ = world.entity_mut(entity).insert(LinearDamping(-1.0)));
        assert_eq!(told.len(), 1, "{told:?}");
        app.world_mut().entity_mut(entity).remove::<LinearDamping>();
        assert_eq!(warnings(&mut app, 2, |_| {}), [""; 0]);
    }
}

#[test]
fn bad_settings_are_named_once() {
    let mut app = support::app();
    let told = warnings(&mut app, 4, |world| {
        world.resource_mut::<CollisionSettings>().restitution = f32::NAN;
        world.resource_mut::<MotionSettings>().drag = f32::NAN;
    });
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn nothing_is_said_of_what_takes_no_part() {
    let mut app = support::app();
    app.world_mut().spawn((Pocket { radius: f32::NAN }, Inactive));
    app.world_mut().spawn((Terrain::Circle { radius: f32::NAN }, Inactive));
    app.world_mut().spawn((Terrain::Circle { radius: f32::NAN }, Sensor, Inactive));
    app.world_mut().spawn((Disc, Radius(f32::NAN), Inactive));
    app.world_mut().spawn((Disc, LinearDamping(f32::NAN), Inactive));
    assert_eq!(warnings(&mut app, 5, |_| {}), [""; 0]);
}
