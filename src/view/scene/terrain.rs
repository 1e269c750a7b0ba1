//! Draws the floor, the table or the laboratory, and the terrain in it.

use bevy::prelude::*;

use super::{
    furniture::{Furniture, draw_around_arena, rail_width_around},
    periodic::places_of,
};
use crate::{
    collision::PhysicsSpace,
    components::{Inactive, OneWay, Position, Rotation, Sensor, StableId, Terrain},
    interpolation::Overstep,
    plane::TableEdge,
    scene::{DrawnTable, OwnLook, Surroundings, TerrainLook},
    view::{
        ViewSettings,
        camera::{
            current_view::{CurrentView, ShownTo},
            view2d::View2d,
        },
        canvas::{Canvas, Layer, Plate, triangulate::triangles},
        theme::Theme,
    },
};

/// The width of the frame or the rails around an arena's walls, metres.
pub(crate) fn frame_width(surroundings: Surroundings, half_size: Vec2) -> f32 {
    match surroundings {
        Surroundings::Laboratory => 0.012 * half_size.min_element().max(0.0),
        Surroundings::Table => rail_width_around(half_size),
    }
}

/// The background.
pub(crate) fn draw_floor(canvas: &mut Canvas, view: &View2d, theme: &Theme) {
    let seen = view.frame_in_world();
    canvas.gradient(
        Layer::Ground,
        Plate::new(seen.center(), seen.half_size()),
        theme.ground.room,
        theme.ground.room_edge,
    );
}

/// The triangles that fill a polygon, in its frame of reference, metres. A polygon with crossing edges has none.
#[derive(Component)]
pub(crate) struct Fill(Vec<[Vec2; 3]>);

/// Keeps the triangles of all polygons up to date.
pub(crate) fn fill_polygons(mut commands: Commands, pieces: Query<(Entity, &Terrain, Has<Fill>), Changed<Terrain>>) {
    for (entity, terrain, is_filled) in &pieces {
        let fill = if let Terrain::Polygon { points } = terrain { triangles(points) } else { None };
        match fill {
            Some(fill) => _ = commands.entity(entity).insert(Fill(fill)),
            None if is_filled => _ = commands.entity(entity).remove::<Fill>(),
            None => {}
        }
    }
}

/// A piece of terrain and its look.
type Piece = (
    (Entity, &'static Terrain, &'static Position, &'static Rotation, &'static StableId),
    (Option<&'static TerrainLook>, Option<&'static Fill>, (Has<Inactive>, Has<Sensor>, Option<&'static OneWay>)),
    ShownTo,
);

/// Draws every piece that is not part of the drawn table. Arenas come first, as the rest lies on them. On a table
/// without a [`DrawnTable`], the first arena becomes one.
pub(crate) fn draw_terrain(
    (mut canvas, mut furniture): (ResMut<Canvas>, ResMut<Furniture>),
    (view, theme, settings): (Res<CurrentView>, Res<Theme>, Res<ViewSettings>),
    (surroundings, table): (Res<Surroundings>, Option<Res<DrawnTable>>),
    (space, overstep): (Res<PhysicsSpace>, Overstep),
    pieces: Query<Piece, (Without<OwnLook>, Without<TableEdge>)>,
) {
    // Moving terrain is interpolated between the last two ticks, like discs.
    let share = overstep.share();
    let mut pieces: Vec<_> = pieces.iter().filter(|(.., shown)| view.shows(shown)).collect();
    pieces.sort_unstable_by_key(|((_, piece, .., id), ..)| (!piece.is_arena(), **id));
    for ((entity, piece, position, rotation, id), (look, fill, (is_inactive, is_sensor, one_way)), _) in pieces {
        let now = (*position, *rotation);
        let (position, rotation) = &space.terrain_between_ticks((*id, entity), now, share).unwrap_or(now);
        let is_furniture = || table.as_ref().is_some_and(|table| table.has_piece(piece, position.0, *rotation));
        let asked = look.and_then(|look| look.colour).map(Srgba::from);
        let is_hidden = is_sensor && asked.is_none() && !settings.sensors;
        if is_hidden || piece.check().is_err() || is_furniture() {
            continue;
        }
        for place in places_of(&space, piece, position.0, *rotation) {
            let piece = (piece, place, *rotation);
            if is_inactive || is_sensor {
                dashed_outline(&mut canvas, &view, piece, asked.unwrap_or(theme.terrain.wall));
            } else if let Some(fill) = fill {
                polygon(&mut canvas, &view, &theme, piece, fill, asked.unwrap_or(theme.terrain.block));
            } else {
                draw_piece(&mut canvas, &mut furniture, (&view, &theme, *surroundings), piece, asked);
            }
            if let Some(one_way) = one_way.filter(|_| !is_inactive && !is_sensor) {
                way_through(&mut canvas, &view, piece, *one_way, asked.unwrap_or(theme.terrain.wall));
            }
        }
    }
}

fn draw_piece(
    canvas: &mut Canvas,
    furniture: &mut Furniture,
    (view, theme, surroundings): (&View2d, &Theme, Surroundings),
    (piece, at, rotation): (&Terrain, Vec2, Rotation),
    asked: Option<Srgba>,
) {
    let angle = rotation.0;
    match piece {
        Terrain::Arena { half_size } => {
            let place = (at, *half_size, rotation);
            if surroundings == Surroundings::Laboratory {
                framed_floor(
                    canvas,
                    view,
                    theme,
                    place,
                    [theme.ground.frame, theme.ground.floor, theme.ground.floor_edge],
                );
            } else if !draw_around_arena(canvas, furniture, (view, theme), place) {
                framed_floor(canvas, view, theme, place, [theme.table.wood, theme.table.cloth, theme.table.cloth_edge]);
            }
        }
        Terrain::Block { half_size } => {
            block(canvas, view, theme, (at, *half_size, angle), asked.unwrap_or(theme.terrain.block));
        }
        Terrain::Circle { radius } => bumper(canvas, view, theme, (at, *radius), asked),
        Terrain::Segment { .. } | Terrain::Polygon { .. } | Terrain::Polyline { .. } | Terrain::Arc { .. } => {
            let (points, closed) = piece.outline();
            let points: Vec<Vec2> = points.into_iter().map(|point| at + rotation.turn(point)).collect();
            let colour = asked.unwrap_or(theme.terrain.wall);
            let shadow: Vec<Vec2> = points.iter().map(|point| point + view.px(1.0) * Vec2::new(1.0, -1.5)).collect();
            canvas.polyline(Layer::Shadow, &shadow, closed, view.px(4.0), theme.ground.shadow);
            canvas.polyline(Layer::Terrain, &points, closed, view.px(3.0), colour);
        }
    }
}

/// The opacity of a piece that discs pass through.
const FAINT: f32 = 0.4;

/// The outline of a piece that discs pass through, such as an open door or a sensor: faint and dashed.
fn dashed_outline(
    canvas: &mut Canvas,
    view: &View2d,
    (piece, at, rotation): (&Terrain, Vec2, Rotation),
    colour: Srgba,
) {
    let colour = colour.with_alpha(FAINT * colour.alpha);
    if let Terrain::Circle { radius } = *piece {
        canvas.ring(Layer::Terrain, at, radius, view.px(2.0), colour);
        return;
    }
    let (points, closed) = piece.outline();
    let mut points: Vec<Vec2> = points.into_iter().map(|point| at + rotation.turn(point)).collect();
    points.extend(points.first().copied().filter(|_| closed));
    canvas.dashed(Layer::Terrain, &points, view.px(2.0), view.px(7.0), colour);
}

/// The number of an arc's edges per arrow.
const ARROW_EVERY: usize = 12;

/// Arrows in the direction in which discs can pass the walls of a piece.
fn way_through(
    canvas: &mut Canvas,
    view: &View2d,
    (piece, at, rotation): (&Terrain, Vec2, Rotation),
    one_way: OneWay,
    colour: Srgba,
) {
    let (points, closed) = piece.outline();
    let points: Vec<Vec2> = points.into_iter().map(|point| at + rotation.turn(point)).collect();
    let ends = points.iter().zip(points.iter().cycle().skip(1)).take(points.len() - usize::from(!closed));
    let (is_arc, every) = if matches!(piece, Terrain::Arc { .. }) { (true, ARROW_EVERY) } else { (false, 1) };
    let way = one_way.turned(rotation);
    // An arc has a single direction along its length, that of its middle.
    let chord = points.first().zip(points.last()).filter(|_| is_arc && !closed).map(|(a, b)| b - a);
    for (&a, &b) in ends.skip(every / 2).step_by(every) {
        let along = b - a;
        let toward = match way {
            OneWay::Toward(_) if is_arc => chord.and_then(|chord| {
                let to_the_left = way.across(chord)?.dot(chord.perp());
                Some(along.perp().normalize_or_zero() * to_the_left.signum())
            }),
            _ => way.across(along),
        };
        let Some(toward) = toward else { continue };
        let middle = a.midpoint(b);
        canvas.arrow(Layer::Terrain, middle, middle + toward * view.px(16.0), view.px(2.0), colour);
    }
}

/// A plain floor in a thin frame. The colours are those of the frame and of the floor, in its middle and at its edges.
fn framed_floor(
    canvas: &mut Canvas,
    view: &View2d,
    theme: &Theme,
    (at, half, Rotation(angle)): (Vec2, Vec2, Rotation),
    [frame_colour, floor, floor_edge]: [Srgba; 3],
) {
    let frame = frame_width(Surroundings::Laboratory, half).max(view.px(2.5));
    let outer = half + frame;
    let corner = frame * 1.6;
    canvas.soft_rect(
        Layer::Ground,
        Plate::new(at - Vec2::Y * view.px(5.0), outer).turned(angle).rounded(corner + view.px(8.0)),
        view.px(16.0),
        theme.ground.shadow,
    );
    canvas.rect(Layer::Ground, Plate::new(at, outer).turned(angle).rounded(corner), frame_colour);
    canvas.gradient(Layer::Ground, Plate::new(at, half).turned(angle), floor, floor_edge);
}

/// A solid rectangle with a soft bevel.
fn block(canvas: &mut Canvas, view: &View2d, theme: &Theme, (at, half, angle): (Vec2, Vec2, f32), colour: Srgba) {
    let short = half.min_element();
    let lift = (0.12 * short).min(view.px(10.0));
    canvas.soft_rect(
        Layer::Shadow,
        Plate::new(at + lift * Vec2::new(0.4, -0.8), half).turned(angle).rounded(lift),
        lift,
        theme.ground.shadow,
    );
    canvas.bevel(Layer::Terrain, Plate::new(at, half).turned(angle), (0.28 * short).min(view.px(9.0)), colour);
}

/// A solid shape with edges lit like those of a block.
fn polygon(
    canvas: &mut Canvas,
    view: &View2d,
    theme: &Theme,
    (piece, at, rotation): (&Terrain, Vec2, Rotation),
    fill: &Fill,
    colour: Srgba,
) {
    let place = |point: Vec2| at + rotation.turn(point);
    for triangle in &fill.0 {
        canvas.triangle(Layer::Terrain, triangle.map(place), colour);
    }
    let (points, _) = piece.outline();
    let [first, .., last] = points[..] else { return };
    let edges = points.windows(2).map(|edge| [edge[0], edge[1]]).chain([[last, first]]);
    let area: f32 = edges.clone().map(|[a, b]| (a - first).perp_dot(b - first)).sum();
    let colour = LinearRgba::from(colour);
    for [a, b] in edges.map(|edge| edge.map(place)) {
        let outward = (a - b).perp().normalize_or_zero() * area.signum();
        let lit = outward.dot(vec2(-0.53, 0.85));
        let shadow = [a, b].map(|point| point + view.px(3.0) * vec2(0.4, -0.8));
        canvas.line(Layer::Shadow, shadow[0], shadow[1], view.px(5.0), theme.ground.shadow);
        let light = 1.0 + 0.30 * lit - 0.11 * (1.0 - lit);
        let edge = LinearRgba::rgb(colour.red * light, colour.green * light, colour.blue * light);
        canvas.line(Layer::Terrain, a, b, view.px(3.0), edge);
    }
}

/// A fixed circle with rings. A single point is drawn as a small stud.
fn bumper(canvas: &mut Canvas, view: &View2d, theme: &Theme, (at, radius): (Vec2, f32), asked: Option<Srgba>) {
    if radius <= view.px(1.5) {
        canvas.disc(Layer::Terrain, at, view.px(2.5), asked.unwrap_or(theme.terrain.wall));
        return;
    }
    let body = asked.unwrap_or(theme.terrain.bumper);
    let lift = 0.14 * radius;
    canvas.glow(Layer::Shadow, at + lift * Vec2::new(0.4, -0.9), radius, lift, theme.ground.shadow);
    canvas.bevel(Layer::Terrain, Plate::disc(at, radius), 0.3 * radius, body);
    canvas.ring(Layer::Terrain, at, 0.80 * radius, 0.07 * radius, theme.terrain.bumper_ring.with_alpha(0.85));
    canvas.disc(Layer::Terrain, at, 0.34 * radius, theme.terrain.bumper_ring.with_alpha(0.9));
    canvas.bevel(Layer::Terrain, Plate::disc(at, 0.26 * radius), 0.12 * radius, body);
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::{interpolation::InterpolationSettings, timeline::Playback};

    #[test]
    fn a_polygon_is_filled_as_it_is_now_unless_its_edges_cross() {
        let mut world = World::new();
        world.init_resource::<Canvas>();
        world.init_resource::<Furniture>();
        world.init_resource::<CurrentView>();
        world.init_resource::<Theme>();
        world.init_resource::<Surroundings>();
        world.init_resource::<ViewSettings>();
        world.init_resource::<PhysicsSpace>();
        world.init_resource::<InterpolationSettings>();
        world.init_resource::<Playback>();
        world.init_resource::<Time<Fixed>>();
        let square = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let drawn = |world: &mut World| {
            world.run_system_once(fill_polygons).unwrap();
            world.resource_mut::<Canvas>().clear();
            world.run_system_once(draw_terrain).unwrap();
            world.resource::<Canvas>().len()
        };
        let piece = world.spawn(Terrain::Polyline { points: [&square[..], &square[..1]].concat() }).id();
        let outline = drawn(&mut world);
        world.entity_mut(piece).insert(Terrain::Polygon { points: square.clone() });
        assert_eq!(drawn(&mut world), outline + 2, "two triangles");
        // A sensor is drawn where it has a colour or the settings say so.
        let sensor = world.spawn((Sensor, Terrain::Circle { radius: 1.0 })).id();
        assert_eq!(drawn(&mut world), outline + 2);
        world.entity_mut(sensor).insert(TerrainLook { colour: Some(Color::WHITE) });
        assert_eq!(drawn(&mut world), outline + 3, "a ring");
        world.entity_mut(sensor).remove::<TerrainLook>();
        world.resource_mut::<ViewSettings>().sensors = true;
        assert_eq!(drawn(&mut world), outline + 3);
        world.despawn(sensor);
        let bow_tie = vec![Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::Y];
        world.entity_mut(piece).insert(Terrain::Polygon { points: bow_tie });
        assert_eq!(drawn(&mut world), outline);
    }
}
