//! Drawing of billiard tables, and of pockets in a scene without a table. A table is drawn from its [`DrawnTable`], or
//! around an arena as a table without pockets.
//!
//! Cloth, cushions, pockets and rails are one quad, whose fragments compute the distance to every border
//! (`furniture.wgsl`). Spots and sights are shapes of the [`Canvas`]. The tray for fallen balls lies below the table.

use core::f32::consts::FRAC_PI_2;
use std::sync::LazyLock;

use bevy::{math::DVec2, prelude::*, render::render_resource::ShaderType};

use super::fallen::Tray;
use crate::{
    billiards::tables::{
        BuiltTable, CircleSpec, Jaw, LineSpec, PocketKind, ShippedTable, Sight, SightShape, SightsSpec, Spot, TableSpec,
    },
    components::{Pocket, Position, Rotation},
    scene::DrawnTable,
    view::{
        camera::{
            current_view::{CurrentView, ShownTo},
            view2d::View2d,
        },
        canvas::{Canvas, Layer, Plate},
        theme::Theme,
    },
};

/// A table as `furniture.wgsl` reads it. Colours are linear.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    place: Vec4,
    axis: Vec4,
    half: Vec4,
    lines: Vec4,
    pockets: [Vec4; 6],
    cloth: Vec4,
    cloth_edge: Vec4,
    cloth_mark: Vec4,
    cushion: Vec4,
    nose: Vec4,
    shade: Vec4,
    wood: Vec4,
    wood_dark: Vec4,
    joint: Vec4,
    leather: Vec4,
    hole: Vec4,
}

/// The position of a missing line, far away, metres.
const FAR: f32 = 1e6;

/// The width of lines and the radius of spots on the cloth, as fractions of half the width of the field. On a nine-foot
/// table they are 3 mm and 7 mm.
const LINE: f32 = 0.005;
const SPOT: f32 = 0.011;

/// A table to draw, at a place in the world.
struct Plan<'a> {
    spec: &'a TableSpec,
    sights: &'a [Sight],
    /// The pockets: see [`of_pockets`].
    pockets: Option<[Vec4; 6]>,
    /// Its middle, metres.
    centre: Vec2,
    rotation: Rotation,
}

impl Plan<'_> {
    /// The point of the world at a point of the table, metres.
    fn put(&self, point: Vec2) -> Vec2 {
        self.centre + self.rotation.turn(point)
    }

    /// The table for the shader.
    fn shape(&self, view: &View2d, theme: &Theme) -> Shape {
        let Self { spec, pockets, .. } = self;
        let half = spec.half().as_vec2();
        // Relative to the view first, so that a view far from the origin of the world is as sharp as one at the origin.
        let at = view.to_sheet(self.centre);
        let string = spec.head_string.map_or(FAR, |x| x as f32);
        let (baulk, d) = spec.baulk.map_or((-FAR, FAR), |baulk| (baulk.line as f32, baulk.radius as f32));
        let [cloth, cloth_edge, cloth_mark, cushion, nose, shade, wood, wood_dark, joint, leather, hole] = [
            theme.table.cloth,
            theme.table.cloth_edge,
            theme.table.mark,
            theme.table.cushion,
            theme.table.nose,
            theme.table.cushion_shade,
            theme.table.wood,
            theme.table.wood_dark,
            theme.table.wood_joint,
            theme.table.leather,
            theme.table.hole,
        ]
        .map(|colour| LinearRgba::from(colour).to_vec4());
        Shape {
            place: at.extend(view.pixels_per_metre).extend(if pockets.is_some() { 1.0 } else { 0.0 }),
            axis: self.rotation.turn(Vec2::X).extend(0.0).extend(0.0),
            half: half.extend(spec.cushion_width as f32).extend(spec.rail_width as f32),
            lines: Vec4::new(string, baulk, d, (0.5 * LINE * half.y).max(view.px(0.5))),
            pockets: pockets.unwrap_or_default(),
            cloth,
            cloth_edge,
            cloth_mark,
            cushion,
            nose,
            shade,
            wood,
            wood_dark,
            joint,
            leather,
            hole,
        }
    }

    /// Adds everything that the shader does not draw.
    fn draw(&self, canvas: &mut Canvas, view: &View2d, theme: &Theme) {
        let Self { spec, .. } = self;
        let half = spec.half().as_vec2();
        let rail = spec.rail_width as f32;
        canvas.soft_rect(
            Layer::Ground,
            Plate::new(self.centre - Vec2::Y * (0.06 * half.y), half + rail)
                .turned(self.rotation.0)
                .rounded(0.6 * rail),
            0.14 * half.y,
            theme.table.shadow,
        );
        let line = (LINE * half.y).max(view.px(1.0));
        for LineSpec { x, .. } in &spec.lines {
            let [from, to] = [-half.y, half.y].map(|y| self.put(Vec2::new(*x as f32, y)));
            canvas.line(Layer::Marks, from, to, line, theme.table.mark);
        }
        for CircleSpec { place, radius } in &spec.circles {
            // Concentric circles, such as those of a house, get brighter toward the centre.
            let (place, radius) = (self.put(place.as_vec2()), *radius as f32);
            canvas.disc(Layer::Marks, place, radius, theme.table.mark.with_alpha(0.25 * theme.table.mark.alpha));
            canvas.ring(Layer::Marks, place, radius, line, theme.table.mark);
        }
        for spot in &spec.spots {
            let mark = theme.table.mark.with_alpha((2.2 * theme.table.mark.alpha).min(1.0));
            canvas.disc(Layer::Marks, self.put(spot.place.as_vec2()), SPOT * half.y, mark);
        }
        self.draw_sights(canvas, theme);
    }

    /// The sights, inlaid in the rails.
    fn draw_sights(&self, canvas: &mut Canvas, theme: &Theme) {
        let groove = theme.table.wood_joint.with_alpha(0.6);
        for sight in self.sights {
            let place = self.put(sight.place);
            match sight.shape {
                SightShape::Round { diameter } => {
                    let radius = 0.5 * diameter as f32;
                    canvas.disc(Layer::Marks, place, 1.2 * radius, groove);
                    canvas.disc(Layer::Marks, place, radius, theme.table.sight);
                }
                SightShape::Diamond { length, width } => {
                    let half = Vec2::new(0.5 * length as f32, 0.5 * width as f32);
                    let angle = self.rotation.0 + sight.inward.to_angle();
                    let plate = |grown: f32| Plate::new(place, half * grown).turned(angle);
                    canvas.rhombus(Layer::Marks, plate(1.28), groove);
                    canvas.rhombus(Layer::Marks, plate(1.0), theme.table.sight);
                }
            }
        }
    }
}

/// A corner pocket and a side pocket as the shader reads them, or `None` on a table without pockets.
fn of_pockets(built: &BuiltTable, half: DVec2) -> Option<[Vec4; 6]> {
    // The first cushion lies along a long side, between a corner pocket and a side pocket.
    let [corner, side] = built.cushions.first()?.jaws?;
    let [a, b, c] = of_pocket(built, half, &corner)?;
    let [d, e, f] = of_pocket(built, half, &side)?;
    Some([a, b, c, d, e, f])
}

fn of_pocket(built: &BuiltTable, half: DVec2, jaw: &Jaw) -> Option<[Vec4; 3]> {
    let hole = built.holes.get(jaw.pocket)?;
    let is_corner = hole.kind == PocketKind::Corner;
    // Along the nose away from the pocket, and outward.
    let in_jaw =
        |DVec2 { x, y }: DVec2| DVec2::new(if is_corner { half.x - x.abs() } else { x.abs() }, y.abs() - half.y);
    let [centre, end] = [jaw.centre, jaw.end].map(in_jaw);
    let normal = match jaw.face_tangent.map(in_jaw) {
        Some(start) => {
            let face = (end - start).normalize_or(DVec2::Y);
            DVec2::new(-face.y, face.x)
        }
        None => (end - centre).normalize_or(DVec2::NEG_X),
    };
    // Outward along the axis of the pocket, from the line of the noses.
    let on_axis = |place: DVec2| {
        let behind = place.abs() - half;
        if is_corner { (behind.x + behind.y) * std::f64::consts::FRAC_1_SQRT_2 } else { behind.y }
    };
    let four = |a: f64, b: f64, c: f64, d: f64| Vec4::new(a as f32, b as f32, c as f32, d as f32);
    Some([
        four(centre.x, centre.y, jaw.radius, 0.0),
        four(normal.x, normal.y, normal.dot(end), 0.0),
        four(on_axis(hole.centre), hole.radius, on_axis(hole.middle), hole.liner_radius),
    ])
}

/// The table of the next view, if there is one.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Furniture(pub(crate) Option<Shape>);

/// Draws the table of the scene.
pub(crate) fn draw_table(
    mut canvas: ResMut<Canvas>,
    mut furniture: ResMut<Furniture>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    table: Option<Res<DrawnTable>>,
    tray: Option<Res<Tray>>,
) {
    // The table belongs to no entity, so it is on layer 0.
    let table = table.filter(|_| view.shows_layer_0());
    furniture.0 = table.map(|table| {
        let DrawnTable { spec, built, .. } = &*table;
        let pockets = of_pockets(built, spec.half());
        let plan = Plan { spec, sights: &built.sights, pockets, centre: Vec2::ZERO, rotation: Rotation::default() };
        plan.draw(&mut canvas, &view, &theme);
        if let Some(tray) = tray {
            draw_tray(&mut canvas, &theme, &tray);
        }
        plan.shape(&view, &theme)
    });
}

/// The table whose proportions those around arenas have.
static NINE_FOOT: LazyLock<TableSpec> = LazyLock::new(|| {
    let table = ShippedTable::named("pool-9ft").and_then(ShippedTable::spec);
    table.expect("a test reads the tables that come with the program")
});

/// The factor between a nine-foot table and the table around an arena with these half sizes, metres.
fn scale_around(half_size: Vec2) -> f64 {
    f64::from(half_size.min_element()) / NINE_FOOT.half().y
}

/// The width of the rails of the table around an arena with these half sizes, metres.
pub(crate) fn rail_width_around(half_size: Vec2) -> f32 {
    (NINE_FOOT.rail_width * scale_around(half_size).max(0.0)) as f32
}

/// A table without pockets whose field is an arena with these half sizes, metres. It lies along x.
fn around(half_size: Vec2) -> TableSpec {
    let (scale, stretch) = (scale_around(half_size), f64::from(half_size.max_element()) / NINE_FOOT.half().x);
    let scaled = |shape| match shape {
        SightShape::Round { diameter } => SightShape::Round { diameter: diameter * scale },
        SightShape::Diamond { length, width } => SightShape::Diamond { length: length * scale, width: width * scale },
    };
    let sights = NINE_FOOT.sights.map(|sights| SightsSpec {
        behind_nose: sights.behind_nose * scale,
        shape: scaled(sights.shape),
        ..sights
    });
    let spots = NINE_FOOT.spots.iter().map(|spot| Spot { place: spot.place * stretch, ..spot.clone() });
    TableSpec {
        length: NINE_FOOT.length * stretch,
        width: NINE_FOOT.width * scale,
        cushion_width: NINE_FOOT.cushion_width * scale,
        rail_width: NINE_FOOT.rail_width * scale,
        head_string: NINE_FOOT.head_string.map(|x| x * stretch),
        spots: spots.collect(),
        sights,
        pockets: None,
        ..NINE_FOOT.clone()
    }
}

/// Draws the table around an arena, unless there is a table already: a view has only one.
pub(crate) fn draw_around_arena(
    canvas: &mut Canvas,
    furniture: &mut Furniture,
    (view, theme): (&View2d, &Theme),
    (centre, half_size, rotation): (Vec2, Vec2, Rotation),
) -> bool {
    if furniture.0.is_some() {
        return false;
    }
    let spec = around(half_size);
    let upright = if half_size.y > half_size.x { FRAC_PI_2 } else { 0.0 };
    let (sights, rotation) = (spec.placed_sights(), Rotation(rotation.0 + upright));
    let plan = Plan { spec: &spec, sights: &sights, pockets: None, centre, rotation };
    plan.draw(canvas, view, theme);
    furniture.0 = Some(plan.shape(view, theme));
    true
}

/// A trough of wood, lined with cloth.
fn draw_tray(canvas: &mut Canvas, theme: &Theme, tray: &Tray) {
    let (at, outer) = (tray.bounds.center(), tray.bounds.half_size());
    let wall = tray.wall;
    let inner = outer - wall;
    canvas.soft_rect(
        Layer::Ground,
        Plate::new(at - Vec2::Y * (0.5 * wall), outer).rounded(outer.y.min(3.0 * wall)),
        1.4 * wall,
        theme.table.shadow,
    );
    let round = outer.y.min(2.2 * wall);
    canvas.wood(Layer::Ground, Plate::new(at, outer).rounded(round), theme.table.wood, theme.table.wood_dark);
    canvas.rect_outline(
        Layer::Ground,
        Plate::new(at, outer).rounded(round),
        0.12 * wall,
        theme.table.wood_joint.with_alpha(0.55),
    );
    let pit = Plate::new(at, inner).rounded(round - wall);
    canvas.gradient(
        Layer::Ground,
        pit,
        theme.table.cloth_edge.mix(&theme.table.hole, 0.45),
        theme.table.cloth_edge.mix(&theme.table.hole, 0.7),
    );
    // Its upper wall shades it.
    let shade = Vec2::new(inner.x, 0.35 * inner.y);
    let top = Plate::new(at + Vec2::Y * (inner.y - shade.y), shade).rounded(round - wall);
    canvas.soft_rect(Layer::Ground, top, 0.0, theme.table.hole.with_alpha(0.25));
    canvas.rect_outline(Layer::Ground, pit, 0.16 * wall, theme.table.wood_joint.with_alpha(0.8));
}

/// Draws the pockets that belong to no table: round holes with a rim.
pub(crate) fn draw_pockets(
    mut canvas: ResMut<Canvas>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    table: Option<Res<DrawnTable>>,
    pockets: Query<(&Pocket, &Position, ShownTo)>,
) {
    for (pocket, position, shown) in &pockets {
        let (at, radius) = (position.0, pocket.radius);
        let is_sound = at.is_finite() && radius > 0.0 && radius.is_finite();
        if !is_sound || !view.shows(&shown) || table.as_ref().is_some_and(|table| table.hole_of(*pocket, at).is_some())
        {
            continue;
        }
        let rim = 0.14 * radius;
        canvas.glow(Layer::Marks, at - Vec2::Y * (0.3 * rim), radius + rim, 0.6 * rim, theme.ground.shadow);
        canvas.bevel(Layer::Marks, Plate::disc(at, radius + rim), 0.8 * rim, theme.terrain.wall);
        canvas.disc(Layer::Marks, at, radius, theme.table.hole);
        // Deep inside, the wall shows on the lit side.
        let lit = theme.table.hole.mix(&theme.terrain.wall, 0.35).with_alpha(0.8);
        canvas.glow(
            Layer::Marks,
            at + Vec2::new(0.18, -0.28) * radius,
            0.62 * radius,
            0.04 * radius,
            lit.with_alpha(0.12),
        );
        canvas.glow(Layer::Marks, at + Vec2::new(-0.04, 0.08) * radius, 0.72 * radius, 0.2 * radius, theme.table.hole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billiards::tables;
    use bevy::ecs::system::RunSystemOnce;

    fn drawn(name: &str) -> (Canvas, Option<Shape>, DrawnTable) {
        let table = DrawnTable::named(name).unwrap();
        let mut world = World::new();
        world.init_resource::<Canvas>();
        world.init_resource::<Furniture>();
        world.init_resource::<CurrentView>();
        world.init_resource::<Theme>();
        world.insert_resource(table.clone());
        world.run_system_once(draw_table).unwrap();
        let shape = world.resource::<Furniture>().0;
        (world.remove_resource().unwrap(), shape, table)
    }

    #[test]
    fn what_is_drawn_is_what_was_built() {
        for name in tables::shipped().iter().map(|table| table.name) {
            let (canvas, shape, DrawnTable { spec, built, .. }) = drawn(name);
            let shape = shape.expect("there is a table");
            assert_eq!(shape.place.w > 0.5, spec.pockets.is_some(), "{name}");
            // The shadow of the table, every line, circle and spot, and every sight with its groove.
            let marks = spec.lines.len() + 2 * spec.circles.len() + built.spots.len();
            assert_eq!(canvas.len(), 1 + marks + 2 * built.sights.len(), "{name}");
            assert_eq!(shape.lines.x < FAR, spec.head_string.is_some(), "{name}");
            assert_eq!(shape.lines.y > -FAR, spec.baulk.is_some(), "{name}");
            let Some(pockets) = spec.pockets else { continue };
            let halves = [(pockets.corner, &shape.pockets[..3]), (pockets.side, &shape.pockets[3..])];
            for (spec, [round, face, hole]) in halves.map(|(spec, three)| (spec, [three[0], three[1], three[2]])) {
                assert!(
                    (hole.x - spec.depth as f32).abs() < 1e-6 && (hole.y - spec.radius as f32).abs() < 1e-7,
                    "{name}"
                );
                assert_eq!(hole.w, spec.liner_radius as f32);
                assert_eq!(round.z, spec.jaw_radius as f32);
                // The rounding touches the nose, and the face touches the rounding.
                assert!((round.y - round.z).abs() < 1e-6, "{name}: {round}");
                let beside = face.x * round.x + face.y * round.y - face.z;
                assert!((beside + round.z).abs() < 1e-6, "{name}: {beside}");
            }
        }
    }

    #[test]
    fn the_table_around_an_arena_is_a_real_one_without_pockets() {
        let half = DVec2::new(1.27, 0.635);
        let spec = around(half.as_vec2());
        let real = ShippedTable::named("pool-9ft").unwrap().spec().unwrap();
        assert!((spec.half() - half).abs().max_element() < 1e-6);
        let lengths = |spec: &TableSpec| [spec.cushion_width, spec.rail_width, spec.head_string.unwrap()];
        for (length, expected) in lengths(&spec).into_iter().zip(lengths(&real)) {
            assert!((length - expected).abs() < 1e-6, "{length} m instead of {expected} m");
        }
        // Those at the middle pockets, too.
        assert_eq!(spec.placed_sights().len(), real.placed_sights().len() + 2);
        assert_eq!(spec.pockets, None);
    }

    #[test]
    fn one_arena_is_drawn_as_a_table_along_its_longer_side() {
        let (view, theme) = (View2d::default(), Theme::default());
        let (mut canvas, mut furniture) = (Canvas::default(), Furniture::default());
        let mut draw = |half: Vec2, angle: f32| {
            let place = (Vec2::new(1.0, 2.0), half, Rotation(angle));
            draw_around_arena(&mut canvas, &mut furniture, (&view, &theme), place)
        };
        assert!(draw(Vec2::new(0.5, 3.0), 0.0));
        assert!(!draw(Vec2::new(2.0, 1.0), 0.3), "a view has one table");
        let shape = furniture.0.expect("there is a table");
        assert!((shape.half.xy() - Vec2::new(3.0, 0.5)).length() < 1e-5, "{}", shape.half);
        assert!((shape.axis.xy() - Vec2::Y).length() < 1e-6, "{}", shape.axis);
        assert_eq!(shape.place.xy(), view.to_sheet(Vec2::new(1.0, 2.0)));
        assert_eq!(shape.place.w, 0.0);
    }
}
