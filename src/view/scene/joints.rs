//! Draws joints below the discs: a spring as a coil, a rod as a bar, a rope as a line, dashed while it is slack.

use bevy::prelude::*;

use crate::{
    collision::PhysicsSpace,
    components::{InPlay, Inactive, Joint, JointEnd, JointKind, Radius, StableId},
    interpolation::Drawn,
    scene::OwnLook,
    view::{
        camera::current_view::{CurrentView, ShownTo},
        canvas::{Canvas, Layer},
        theme::Theme,
    },
};

/// The number of turns of a coil.
const TURNS: usize = 9;

/// Half the width of a coil at rest, as a fraction of its length, and its upper limit, logical pixels.
const COIL: (f32, f32) = (0.06, 7.0);

/// The straight fraction at each end of a coil.
const STRAIGHT: f32 = 0.08;

/// A rope is drawn as slack if it could lengthen by more than this fraction.
const SLACK: f32 = 1e-3;

type Shown<'w, 's> =
    Query<'w, 's, (&'static StableId, Entity, &'static Joint, ShownTo), (Without<Inactive>, Without<OwnLook>)>;

pub(crate) fn draw_joints(
    mut canvas: ResMut<Canvas>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    space: Option<Res<PhysicsSpace>>,
    joints: Shown,
    discs: Query<(&Drawn, &Radius), InPlay>,
) {
    let end = |end: JointEnd| match end {
        JointEnd::Disc(disc) => discs.get(disc).ok().map(|(drawn, radius)| (drawn.shown, radius.0)),
        JointEnd::Point(point) => Some((point, 0.0)),
    };
    let mut joints: Vec<_> = joints.iter().filter(|(.., shown)| view.shows(shown)).collect();
    joints.sort_unstable_by_key(|(id, entity, ..)| (**id, *entity));
    for (_, _, joint, _) in joints {
        let (Ok(()), [Some(a), Some(b)]) = (joint.kind.check(), joint.ends.map(end)) else { continue };
        // Across a periodic edge it is drawn on both sides.
        let way = space.as_ref().map_or(b.0 - a.0, |space| space.difference(a.0, b.0));
        draw_joint(&mut canvas, &view, &theme, joint, [a, (a.0 + way, b.1)]);
        if space.as_ref().is_some_and(|space| space.is_across_an_edge(a.0, b.0)) {
            draw_joint(&mut canvas, &view, &theme, joint, [(b.0 - way, a.1), b]);
        }
    }
}

fn draw_joint(
    canvas: &mut Canvas,
    view: &CurrentView,
    theme: &Theme,
    joint: &Joint,
    [(a, radius_a), (b, radius_b)]: [(Vec2, f32); 2],
) {
    let colour = theme.terrain.wall;
    match joint.kind {
        JointKind::Spring { length, .. } => {
            let Some(along) = (b - a).try_normalize() else { return };
            let half = (COIL.0 * length.max(radius_a + radius_b)).min(view.px(COIL.1));
            // From rim to rim, if there is room.
            let (from, to) = (a + along * radius_a, b - along * radius_b);
            let ends = if (to - from).dot(along) > 0.0 { [from, to] } else { [a, b] };
            canvas.polyline(Layer::Terrain, &coil(ends, half), false, view.px(1.8), colour);
        }
        JointKind::Rod { .. } => canvas.line(Layer::Terrain, a, b, view.px(3.4), colour),
        JointKind::Rope { length, .. } if a.distance(b) < length * (1.0 - SLACK) => {
            canvas.dashed(Layer::Terrain, &[a, b], view.px(1.6), view.px(6.0), colour);
        }
        JointKind::Rope { .. } => canvas.line(Layer::Terrain, a, b, view.px(1.6), colour),
    }
    for (end, (at, _)) in joint.ends.iter().zip([(a, radius_a), (b, radius_b)]) {
        if matches!(end, JointEnd::Point(_)) {
            canvas.disc(Layer::Terrain, at, view.px(4.0), colour);
        }
    }
}

/// The corners of a zigzag between two points, with this amplitude.
fn coil([from, to]: [Vec2; 2], half: f32) -> Vec<Vec2> {
    let across = (to - from).perp().normalize_or_zero() * half;
    let turn = |k: usize| {
        let share = STRAIGHT + (1.0 - 2.0 * STRAIGHT) * (k as f32 + 0.5) / (2 * TURNS) as f32;
        from.lerp(to, share) + if k.is_multiple_of(2) { across } else { -across }
    };
    let mut points = vec![from, from.lerp(to, STRAIGHT)];
    points.extend((0..2 * TURNS).map(turn));
    points.extend([from.lerp(to, 1.0 - STRAIGHT), to]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PhysicsPlugins, prelude::*};

    #[test]
    fn each_kind_is_drawn_and_what_is_unhitched_is_not() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
            .init_resource::<Canvas>()
            .init_resource::<CurrentView>()
            .init_resource::<Theme>()
            .register_required_components::<Disc, Drawn>()
            .add_systems(Update, draw_joints);
        let disc = app.world_mut().spawn((Disc, Drawn::default())).id();
        let joint = app.world_mut().spawn(Joint::rod(disc, Vec2::X, 1.0)).id();
        let mut drawn = |joint: Option<Entity>, change: fn(&mut EntityWorldMut)| {
            if let Some(joint) = joint {
                change(&mut app.world_mut().entity_mut(joint));
            }
            app.world_mut().resource_mut::<Canvas>().clear();
            app.update();
            app.world().resource::<Canvas>().len()
        };
        assert_eq!(drawn(None, |_| {}), 2, "a bar and its point");
        let spring = drawn(Some(joint), |joint| {
            joint.get_mut::<Joint>().unwrap().kind = JointKind::Spring { length: 1.0, stiffness: 1.0, damping: 0.0 }
        });
        assert!(spring > 15, "{spring}");
        let slack = drawn(Some(joint), |joint| {
            joint.get_mut::<Joint>().unwrap().kind = JointKind::Rope { length: 3.0, restitution: 0.0 }
        });
        let taut = drawn(Some(joint), |joint| {
            joint.get_mut::<Joint>().unwrap().kind = JointKind::Rope { length: 1.0, restitution: 0.0 }
        });
        assert!(slack > taut, "{slack}, {taut}");
        assert_eq!(drawn(Some(joint), |joint| _ = joint.insert(Inactive)), 0);
    }
}
