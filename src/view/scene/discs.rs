//! Drawing of discs: billiard balls on a table, plain discs in a laboratory.

use bevy::{camera::visibility::RenderLayers, ecs::entity_disabling::Disabled, prelude::*};
use core::ops::Range;

use super::instance::Instance;
use super::{
    above,
    colours::{ColourBy, Ends, MAX_FLASHING, STATES, Scale, Trace, state_colour, state_of},
    fallen::Fallen,
    periodic::add_images,
};
use crate::{
    collision::{PhysicsSpace, Threads, spin::BallState, threads},
    components::{AngularVelocity, Disc, Inactive, Mass, Orientation, Radius, StableId, Velocity},
    interpolation::{Drawn, DrawnHeight},
    motion::rolled,
    scene::{CueBall, CurrentScene, DiscColour, DiscLook, Lesson, OwnLook, Surroundings},
    view::{
        ViewSettings,
        camera::current_view::{CurrentView, is_shown},
        theme::Theme,
    },
};

/// The discs of the [`CurrentView`] being drawn, as instances for `discs.wgsl`.
#[derive(Resource, Debug, Default)]
pub struct DiscInstances {
    instances: Vec<Instance>,
    balls: bool,
}

impl DiscInstances {
    /// The number of discs in the list. It includes hidden discs, which have radius 0, and the images of discs that
    /// periodic edges cut.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instances.len() / self.halves()
    }

    /// The number of [`Instance`]s per disc.
    fn halves(&self) -> usize {
        if self.balls { 2 } else { 1 }
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Whether the discs are balls, which take two instances each.
    #[must_use]
    pub fn are_balls(&self) -> bool {
        self.balls
    }

    /// Appends the instances in the layout of the GPU buffer.
    pub fn copy_to(&self, into: &mut Vec<Instance>) {
        into.extend_from_slice(&self.instances);
    }

    /// The instances.
    pub(crate) fn instances_mut(&mut self) -> &mut Vec<Instance> {
        &mut self.instances
    }
}

/// Bits of a disc's paint, as `discs.wgsl` reads them.
mod bits {
    pub(crate) const STRIPED: u32 = 1;
    pub(crate) const SPOT: u32 = 2;
    pub(crate) const DOTS: u32 = 4;
    pub(crate) const NUMBER: u32 = 8;
}

/// The look of a disc in the current scene. It is computed when the look changes, not in every frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    /// Red, green and blue, one byte each, and an unused byte.
    colour: u32,
    bits: u32,
}

/// Whether the looks of discs have to be recomputed.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Stale(bool);

/// Keeps [`Paint`] up to date. To change the look of a disc, insert another [`DiscLook`].
pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Stale(true))
        .init_resource::<DiscInstances>()
        .register_required_components::<Disc, Paint>()
        .add_observer(|_: On<Add, Disc>, mut stale: ResMut<Stale>| stale.0 = true)
        .add_observer(|_: On<Insert, DiscLook>, mut stale: ResMut<Stale>| stale.0 = true)
        .add_observer(|_: On<Remove, DiscLook>, mut stale: ResMut<Stale>| stale.0 = true)
        .add_observer(|_: On<Add, CueBall>, mut stale: ResMut<Stale>| stale.0 = true)
        .add_observer(|_: On<Remove, CueBall>, mut stale: ResMut<Stale>| stale.0 = true);
}

/// The inputs of [`Paint`].
type Look = (&'static StableId, Option<&'static DiscLook>, Has<CueBall>);

/// Recomputes the looks of discs if needed. It includes inactive discs, which may return at any time.
pub fn repaint(
    mut stale: ResMut<Stale>,
    (theme, surroundings): (Res<Theme>, Res<Surroundings>),
    scene: Option<Res<CurrentScene>>,
    mut discs: Query<(Look, &mut Paint), (With<Disc>, Allow<Disabled>)>,
) {
    let scene_changed = scene.as_ref().is_some_and(DetectChanges::is_changed);
    if !(stale.0 || theme.is_changed() || surroundings.is_changed() || scene_changed) {
        return;
    }
    stale.0 = false;
    let lesson = scene.map(|scene| scene.file.lesson).unwrap_or_default();
    for ((id, look, is_cue), mut paint) in &mut discs {
        let (colour, bits) = match *surroundings {
            Surroundings::Table => ball(*id, look, is_cue, &theme),
            Surroundings::Laboratory => (shown_colour(*id, look, lesson, &theme), 0),
        };
        *paint = Paint { colour: u32::from_le_bytes(colour.to_u8_array()) & RGB, bits };
    }
}

/// The bytes of a colour; the fourth byte is the flash.
const RGB: u32 = 0x00ff_ffff;

/// The share of white in a full flash, from 0 to 1.
const FLASH: f32 = 0.55;

/// The share of the floor's colour in discs under a lesson's arrows, from 0 to 1.
const DIMMED: f32 = 0.58;

/// A ball that is not turned.
const UPRIGHT: [u32; 2] = [0, 0x7fff_0000];

/// A rotation in four 16-bit numbers.
fn packed(turn: Quat) -> [u32; 2] {
    let [x, y, z, w] = turn.to_array().map(|part| u32::from((part.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16));
    [x | y << 16, z | w << 16]
}

/// The cost of placing a disc, nanoseconds.
const PLACING: usize = 1;

/// The additional cost of colouring a disc by a measured property or its state, nanoseconds.
const COLOURING: usize = 5;

/// The ranges of the instances of these discs, with `each` instances per disc.
fn by(each: usize, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    ranges.iter().map(|range| range.start * each..range.end * each).collect()
}

/// The discs that are drawn.
type Shown = (With<Disc>, Without<OwnLook>, Without<Inactive>);

/// The components of a disc for every frame.
type Seen = (
    &'static Drawn,
    &'static Radius,
    &'static Paint,
    &'static Trace,
    Option<&'static Orientation>,
    Option<&'static Fallen>,
    Option<&'static DrawnHeight>,
    Option<&'static InheritedVisibility>,
    Option<&'static RenderLayers>,
);

/// The components of a disc for a colour by a measured property or by its state. A game may have removed any of them.
type Measured =
    (Option<&'static Velocity>, Option<&'static Mass>, Option<&'static StableId>, Option<&'static AngularVelocity>);

/// The columns of [`Seen`] and [`Measured`] for contiguous discs.
#[derive(Clone, Copy)]
struct Columns<'a> {
    drawn: &'a [Drawn],
    radii: &'a [Radius],
    paints: &'a [Paint],
    traces: &'a [Trace],
    orientations: Option<&'a [Orientation]>,
    fallen: Option<&'a [Fallen]>,
    heights: Option<&'a [DrawnHeight]>,
    visibilities: Option<&'a [InheritedVisibility]>,
    layers: Option<&'a [RenderLayers]>,
    velocities: Option<&'a [Velocity]>,
    masses: Option<&'a [Mass]>,
    ids: Option<&'a [StableId]>,
    spins: Option<&'a [AngularVelocity]>,
}

/// The source of the colours of all discs.
enum Colouring {
    /// Their look, which [`Columns::place`] has written.
    Look,
    /// Their state on the cloth.
    State([(BallState, u32); STATES.len()]),
    /// A measured property.
    Measure(Scale),
}

impl Colouring {
    /// The time that it takes per disc, nanoseconds.
    fn cost(&self) -> usize {
        match self {
            Self::Look => 0,
            Self::State(_) | Self::Measure(_) => COLOURING,
        }
    }
}

impl Columns<'_> {
    /// The columns of a range of these discs.
    fn part(&self, range: &Range<usize>) -> Self {
        let range = || range.clone();
        Self {
            drawn: &self.drawn[range()],
            radii: &self.radii[range()],
            paints: &self.paints[range()],
            traces: &self.traces[range()],
            orientations: self.orientations.map(|all| &all[range()]),
            fallen: self.fallen.map(|all| &all[range()]),
            heights: self.heights.map(|all| &all[range()]),
            visibilities: self.visibilities.map(|all| &all[range()]),
            layers: self.layers.map(|all| &all[range()]),
            velocities: self.velocities.map(|all| &all[range()]),
            masses: self.masses.map(|all| &all[range()]),
            ids: self.ids.map(|all| &all[range()]),
            spins: self.spins.map(|all| &all[range()]),
        }
    }

    /// Adds the discs to the statistics of a measured property, if they have it.
    fn measure(&self, measure: ColourBy, ends: &mut Ends) {
        if let (Some(velocities), Some(masses), Some(ids)) = (self.velocities, self.masses, self.ids) {
            ends.take(measure, velocities.iter().zip(masses).zip(ids).map(|((v, m), id)| (v, m, id)));
        }
    }

    /// Replaces the colours of discs that have the components for it. The others keep their look.
    fn colour<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>, colouring: &Colouring) {
        match colouring {
            Colouring::Look => {}
            Colouring::State(colours) => {
                let Some(velocities) = self.velocities else { return };
                for (k, (instance, velocity)) in instances.zip(velocities).enumerate() {
                    let state = state_of(*velocity, self.spins.map(|spins| &spins[k]), self.radii[k]);
                    dye(instance, colours.iter().find(|(its, _)| *its == state).map_or(0, |(_, colour)| *colour));
                }
            }
            Colouring::Measure(scale) => {
                let (Some(velocities), Some(masses), Some(ids)) = (self.velocities, self.masses, self.ids) else {
                    return;
                };
                for (k, instance) in instances.enumerate() {
                    if let Some(colour) = scale.colour(velocities[k], masses[k], ids[k], self.traces[k]) {
                        dye(instance, colour);
                    }
                }
            }
        }
    }

    /// Writes the instances of the discs, `halves` per disc.
    fn write(
        &self,
        instances: &mut [Instance],
        (halves, flash): (usize, bool),
        colouring: &Colouring,
        view: &CurrentView,
    ) {
        self.place(instances.iter_mut().step_by(halves), view);
        if flash {
            for (instance, trace) in instances.iter_mut().step_by(halves).zip(self.traces) {
                instance[3] |= u32::from((255.0 * FLASH * trace.flash) as u8) << 24;
            }
        }
        if halves == 2 {
            self.turn(instances.iter_mut().skip(1).step_by(2));
        }
        if let Some(fallen) = self.fallen {
            for (instance, it) in instances.chunks_exact_mut(halves).zip(fallen) {
                sink(instance, it);
            }
        }
        if let Some(heights) = self.heights {
            for (instance, (height, radius)) in instances.chunks_exact_mut(halves).zip(heights.iter().zip(self.radii)) {
                above::raise(instance, height.shown, radius.0);
            }
        }
        self.colour(instances.iter_mut().step_by(halves), colouring);
        // Most discs have neither component, and are visible on layer 0.
        if self.visibilities.is_some() || self.layers.is_some() || !view.shows_layer_0() {
            self.hide(instances.iter_mut().step_by(halves), view);
        }
    }

    /// The first halves: positions, radii and colours.
    fn place<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>, view: &CurrentView) {
        let (centre, scale, middle) = (view.centre, view.pixels_per_metre, view.middle_of_sheet());
        for ((instance, drawn), (radius, paint)) in instances.zip(self.drawn).zip(self.radii.iter().zip(self.paints)) {
            // Relative to the view first, so that a view far from the origin of the world is as sharp as one at the
            // origin.
            let at = (drawn.shown - centre) * scale + middle;
            let [x, y, radius] = [at.x, at.y, radius.0 * scale].map(f32::to_bits);
            *instance = [x, y, radius, paint.colour];
        }
    }

    /// The second halves of balls: their rotation and paint.
    fn turn<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>) {
        for (k, (instance, paint)) in instances.zip(self.paints).enumerate() {
            // Rolled to the drawn position, which lies between two ticks.
            let [xy, zw] = self.orientations.map_or(UPRIGHT, |all| {
                packed(rolled(all[k].turn, self.drawn[k].shown - all[k].rolled_to, self.radii[k].0))
            });
            *instance = [xy, zw, paint.bits, 0];
        }
    }

    /// Hides discs that are not visible in the view, by setting their radius to 0.
    fn hide<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>, view: &CurrentView) {
        for (k, instance) in instances.enumerate() {
            let (visibility, layers) = (self.visibilities.map(|all| &all[k]), self.layers.map(|all| &all[k]));
            if !is_shown(view.layers(), visibility, layers) {
                instance[2] = 0.0_f32.to_bits();
            }
        }
    }
}

/// Lists all discs as instances. The GPU culls those outside the view.
///
/// # Errors
/// None: all the components use table storage.
pub fn list_discs(
    mut list: ResMut<DiscInstances>,
    (view, settings, theme): (Res<CurrentView>, Res<ViewSettings>, Res<Theme>),
    (surroundings, space): (Res<Surroundings>, Option<Res<PhysicsSpace>>),
    discs: Query<(Seen, Measured), Shown>,
) -> Result {
    list.balls = *surroundings == Surroundings::Table;
    let halves = list.halves();
    let instances = &mut list.instances;
    let tables: Vec<Columns> = discs
        .contiguous_iter()?
        .map(|(seen, (velocities, masses, ids, spins))| {
            let (drawn, radii, paints, traces, orientations, fallen, heights, visibilities, layers) = seen;
            Columns {
                drawn,
                radii,
                paints,
                traces,
                orientations,
                fallen,
                heights,
                visibilities,
                layers,
                velocities,
                masses,
                ids,
                spins,
            }
        })
        .collect();
    let colouring = match settings.colour_by {
        ColourBy::Look => Colouring::Look,
        ColourBy::State => Colouring::State(
            STATES.map(|(state, _)| (state, u32::from_le_bytes(state_colour(state, &theme).to_u8_array()))),
        ),
        measure => Colouring::Measure(ends(&tables, measure).scale(measure)),
    };
    let mut first = 0;
    let mut raised = Vec::new();
    for table in &tables {
        let count = table.drawn.len();
        let heights = table.heights.unwrap_or_default().iter().map(|height| height.shown).enumerate();
        let start = first / halves;
        raised.extend(heights.filter(|(_, height)| *height > 0.0).map(|(k, height)| (height, start + k)));
        let next = first + count * halves;
        // All kept elements are overwritten, so the list is not cleared.
        instances.resize(instances.len().max(next), [0; 4]);
        let flash = settings.flashes() && count <= MAX_FLASHING;
        let ranges = Threads::Auto.divide(count, PLACING + colouring.cost());
        let parts = ranges.iter().zip(threads::cut(&mut instances[first..next], &by(halves, &ranges)));
        let task = |(range, part): (&_, &mut [Instance])| {
            table.part(range).write(part, (halves, flash), &colouring, &view);
        };
        threads::run(parts.map(|part| || task(part)).collect());
        first = next;
    }
    instances.truncate(first);
    above::put_above(instances, halves, raised);
    if let Some(cell) = space.and_then(|space| space.periodic_cell()) {
        add_images(instances, halves, &view, cell);
    }
    Ok(())
}

/// Sets the colour of an instance, as red, green and blue, one byte each. Its flash stays.
fn dye(instance: &mut Instance, colour: u32) {
    instance[3] = instance[3] & !RGB | colour & RGB;
}

/// The statistics of a measured property over all discs.
fn ends(tables: &[Columns], measure: ColourBy) -> Ends {
    let mut ends = Ends::default();
    for table in tables {
        let ranges = Threads::Auto.divide(table.drawn.len(), COLOURING);
        let tasks = ranges.into_iter().map(|range| {
            move || {
                let mut ends = Ends::default();
                table.part(&range).measure(measure, &mut ends);
                ends
            }
        });
        for part in threads::run(tasks.collect()) {
            ends.join(part);
        }
    }
    ends
}

/// Draws a fallen disc at its depth.
fn sink(instance: &mut [Instance], fallen: &Fallen) {
    let [disc, rest @ ..] = instance else { return };
    disc[2] = (f32::from_bits(disc[2]) * fallen.size).to_bits();
    if let [ball] = rest {
        ball[3] = (255.0 * fallen.sunk) as u32;
        if let Some(turn) = fallen.turn {
            [ball[0], ball[1]] = packed(turn);
        }
    } else {
        let dark = disc[3].to_le_bytes().map(|part| (f32::from(part) * (1.0 - DEEP * fallen.sunk)) as u8);
        disc[3] = u32::from_le_bytes(dark);
    }
}

/// The share of light that a disc has lost when it disappears in a pocket, from 0 to 1. `discs.wgsl` has the same
/// number.
const DEEP: f32 = 0.95;

/// The colour of a disc: its own, the colour of its ball, or one by its number in the scene.
#[must_use]
pub fn colour_of(id: StableId, look: Option<&DiscLook>, theme: &Theme) -> Srgba {
    theme.of_disc(DiscColour::of(id, look, false))
}

/// The drawn colour of a plain disc: its own, or closer to the floor's under a lesson's arrows.
pub(crate) fn shown_colour(id: StableId, look: Option<&DiscLook>, lesson: Lesson, theme: &Theme) -> Srgba {
    let dimmed = if lesson.dims_discs { DIMMED } else { 0.0 };
    colour_of(id, look, theme).mix(&theme.ground.floor, dimmed)
}

/// The colour of a ball and its paint.
fn ball(id: StableId, look: Option<&DiscLook>, is_cue: bool, theme: &Theme) -> (Srgba, u32) {
    let number = look.and_then(|look| look.number).filter(|&number| number > 0);
    let colour = theme.of_disc(DiscColour::of(id, look, is_cue));
    let striped = if look.is_some_and(|look| look.striped) { bits::STRIPED } else { 0 };
    let spot = number.map_or(0, |number| bits::SPOT | u32::from(number) << bits::NUMBER);
    // A number already distinguishes it.
    let dots = if is_cue && number.is_none() { bits::DOTS } else { 0 };
    (colour, striped | spot | dots)
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::components::Restitution;

    #[test]
    fn a_disc_that_is_put_aside_meanwhile_comes_back_in_its_colours() {
        let mut app = App::new();
        app.init_resource::<Theme>().insert_resource(Surroundings::Table).add_systems(Update, repaint);
        plugin(&mut app);
        let ball = |world: &mut World| world.spawn((Disc, CueBall, StableId(0))).id();
        let [here, aside] = [ball(app.world_mut()), ball(app.world_mut())];
        app.world_mut().entity_mut(aside).insert(Disabled);
        app.update();
        app.world_mut().entity_mut(aside).remove::<Disabled>();
        app.update();
        let paint = |entity| *app.world().get::<Paint>(entity).unwrap();
        assert_ne!(paint(here), Paint::default());
        assert_eq!(paint(aside), paint(here));
    }

    /// Lists three discs: one without a component, one that rests, and one that slides. Their radii increase in this
    /// order, and the first lies in a table before that of the others. Returns the colours by radius, red, green, blue.
    fn colours<C: Component>(colour_by: ColourBy) -> (App, Vec<u32>) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), crate::view::DiscsPlugin));
        app.world_mut().resource_mut::<ViewSettings>().colour_by = colour_by;
        app.world_mut().spawn((Disc, Radius(0.1))).remove::<C>();
        for (radius, speed) in [(0.2, 0.0), (0.3, 1.0)] {
            app.world_mut().spawn((Disc, Radius(radius), Velocity(Vec2::X * speed), Restitution(1.0)));
        }
        app.world_mut().run_system_once::<_, Result, _>(list_discs).unwrap().unwrap();
        let mut instances = app.world().resource::<DiscInstances>().instances.clone();
        instances.sort_by(|a, b| f32::from_bits(a[2]).total_cmp(&f32::from_bits(b[2])));
        (app, instances.iter().map(|instance| instance[3] & RGB).collect())
    }

    #[test]
    fn a_disc_without_a_radius_takes_no_colour_from_the_others() {
        for (colour_by, _) in ColourBy::ALL {
            let (_, colours) = colours::<Radius>(colour_by);
            assert_eq!(colours.len(), 2, "{colour_by:?}");
        }
    }

    #[test]
    fn a_disc_without_a_velocity_keeps_its_look_and_the_others_have_their_own_state() {
        let (app, colours) = colours::<Velocity>(ColourBy::State);
        let [resting, sliding] = [BallState::Resting, BallState::Sliding]
            .map(|state| u32::from_le_bytes(state_colour(state, app.world().resource::<Theme>()).to_u8_array()) & RGB);
        assert_eq!(colours, [Paint::default().colour, resting, sliding]);
    }
}
