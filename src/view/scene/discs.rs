//! Drawing of discs: billiard balls on a table, plain discs in a laboratory.

use bevy::{camera::visibility::RenderLayers, ecs::entity_disabling::Disabled, prelude::*};
use core::ops::Range;

use super::instance::Instance;
use super::{
    colours::{Ends, MAX_FLASHING, STATES, Trace, state_colour, state_of},
    fallen::Fallen,
    periodic::add_images,
};
use crate::{
    collision::{PhysicsSpace, Threads, threads},
    components::{AngularVelocity, Disc, Inactive, Mass, Orientation, Radius, StableId, Velocity},
    interpolation::Drawn,
    motion::rolled,
    scene::{CueBall, CurrentScene, DiscColour, DiscLook, Lesson, OwnLook, Surroundings},
    view::{
        ViewSettings,
        camera::picture::{Picture, is_shown},
        scene::colours::ColourBy,
        theme::Theme,
    },
};

/// The discs of the [`Picture`] being drawn, as instances for `discs.wgsl`.
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

/// The cost of colouring a disc by a measured property, nanoseconds.
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
    Option<&'static InheritedVisibility>,
    Option<&'static RenderLayers>,
);

/// The components of a disc for a measured colour.
type Measured = (&'static Velocity, &'static Mass, &'static StableId, &'static Trace);

/// The components of a disc for a colour by state.
type Moving = (&'static Velocity, Option<&'static AngularVelocity>, &'static Radius);

/// The columns of [`Seen`] for contiguous discs.
#[derive(Clone, Copy)]
struct Columns<'a> {
    drawn: &'a [Drawn],
    radii: &'a [Radius],
    paints: &'a [Paint],
    traces: &'a [Trace],
    orientations: Option<&'a [Orientation]>,
    fallen: Option<&'a [Fallen]>,
    visibilities: Option<&'a [InheritedVisibility]>,
    layers: Option<&'a [RenderLayers]>,
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
            visibilities: self.visibilities.map(|all| &all[range()]),
            layers: self.layers.map(|all| &all[range()]),
        }
    }

    /// Writes the instances of the discs, `halves` per disc.
    fn write(&self, instances: &mut [Instance], halves: usize, flash: bool, picture: &Picture) {
        self.place(instances.iter_mut().step_by(halves), picture);
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
        // Most discs have neither component, and are visible on layer 0.
        if self.visibilities.is_some() || self.layers.is_some() || !picture.shows_layer_0() {
            self.hide(instances.iter_mut().step_by(halves), picture);
        }
    }

    /// The first halves: positions, radii and colours.
    fn place<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>, picture: &Picture) {
        let (centre, scale, middle) = (picture.centre, picture.pixels_per_metre, picture.middle_of_sheet());
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

    /// Hides discs that are not visible in the picture, by setting their radius to 0.
    fn hide<'a>(&self, instances: impl Iterator<Item = &'a mut Instance>, picture: &Picture) {
        for (k, instance) in instances.enumerate() {
            let (visibility, layers) = (self.visibilities.map(|all| &all[k]), self.layers.map(|all| &all[k]));
            if !is_shown(picture.layers(), visibility, layers) {
                instance[2] = 0.0_f32.to_bits();
            }
        }
    }
}

/// Lists all discs as instances. The GPU culls those outside the picture.
///
/// # Errors
/// None: all the components use table storage.
pub fn list_discs(
    mut list: ResMut<DiscInstances>,
    (picture, settings, theme): (Res<Picture>, Res<ViewSettings>, Res<Theme>),
    (surroundings, space): (Res<Surroundings>, Option<Res<PhysicsSpace>>),
    discs: Query<Seen, Shown>,
    measured: Query<Measured, Shown>,
    moving: Query<Moving, Shown>,
) -> Result {
    list.balls = *surroundings == Surroundings::Table;
    let halves = list.halves();
    let instances = &mut list.instances;
    let mut first = 0;
    for (drawn, radii, paints, traces, orientations, fallen, visibilities, layers) in discs.contiguous_iter()? {
        let columns = Columns { drawn, radii, paints, traces, orientations, fallen, visibilities, layers };
        let next = first + drawn.len() * halves;
        // All kept elements are overwritten, so the list is not cleared.
        instances.resize(instances.len().max(next), [0; 4]);
        let flash = settings.flashes() && drawn.len() <= MAX_FLASHING;
        let ranges = Threads::Auto.divide(drawn.len(), 1);
        let parts = ranges.iter().zip(threads::cut(&mut instances[first..next], &by(halves, &ranges)));
        let task = |(range, part): (&_, &mut [Instance])| columns.part(range).write(part, halves, flash, &picture);
        threads::run(parts.map(|part| || task(part)).collect());
        first = next;
    }
    instances.truncate(first);
    match settings.colour_by {
        ColourBy::Look => {}
        ColourBy::State => colour_by_state(instances, halves, &theme, &moving)?,
        measure => colour_by_measure(instances, halves, measure, &measured)?,
    }
    if let Some(cell) = space.and_then(|space| space.periodic_cell()) {
        add_images(instances, halves, &picture, cell);
    }
    Ok(())
}

/// Sets the colour of an instance, as red, green and blue, one byte each. Its flash stays.
fn dye(instance: &mut Instance, colour: u32) {
    instance[3] = instance[3] & !RGB | colour & RGB;
}

/// Colours all discs by their state on the cloth.
fn colour_by_state(instances: &mut [Instance], halves: usize, theme: &Theme, moving: &Query<Moving, Shown>) -> Result {
    let colours = STATES.map(|(state, _)| (state, u32::from_le_bytes(state_colour(state, theme).to_u8_array())));
    // This query visits the same tables as that of the discs, in the same order.
    let mut instances = instances.iter_mut().step_by(halves);
    for (velocities, spins, radii) in moving.contiguous_iter()? {
        for (k, instance) in instances.by_ref().take(velocities.len()).enumerate() {
            let state = state_of(velocities[k], spins.map(|spins| &spins[k]), radii[k]);
            dye(instance, colours.iter().find(|(its, _)| *its == state).map_or(0, |(_, colour)| *colour));
        }
    }
    Ok(())
}

/// Colours all discs by a measured property.
fn colour_by_measure(
    mut instances: &mut [Instance],
    halves: usize,
    measure: ColourBy,
    measured: &Query<Measured, Shown>,
) -> Result {
    let mut ends = Ends::default();
    for (velocities, masses, ids, _) in measured.contiguous_iter()? {
        let ranges = Threads::Auto.divide(velocities.len(), COLOURING);
        let tasks = ranges.into_iter().map(|range| {
            move || {
                let mut ends = Ends::default();
                let discs = velocities[range.clone()].iter().zip(&masses[range.clone()]).zip(&ids[range]);
                ends.take(measure, discs.map(|((v, m), id)| (v, m, id)));
                ends
            }
        });
        for part in threads::run(tasks.collect()) {
            ends.join(part);
        }
    }
    let scale = ends.scale(measure);
    // This query visits the same tables as that of the discs, in the same order.
    for (velocities, masses, ids, traces) in measured.contiguous_iter()? {
        let ranges = Threads::Auto.divide(velocities.len(), COLOURING);
        let of_table = threads::take(&mut instances, velocities.len() * halves);
        let parts = ranges.iter().zip(threads::cut(of_table, &by(halves, &ranges)));
        let task = |(range, instances): (&Range<usize>, &mut [Instance])| {
            for (k, instance) in range.clone().zip(instances.iter_mut().step_by(halves)) {
                if let Some(colour) = scale.colour(velocities[k], masses[k], ids[k], traces[k]) {
                    dye(instance, colour);
                }
            }
        };
        threads::run(parts.map(|part| || task(part)).collect());
    }
    Ok(())
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
    use super::*;

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
}
