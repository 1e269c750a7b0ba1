//! The selection of discs, with clicks, with a box on the empty table, and with keys.

use bevy::prelude::*;

use super::{
    ControlSystems,
    actions::{Control, Inputs},
    gesture::{Gesture, Gestured},
    hand::SLACK,
    pick::disc_at,
    pointer::{Attention, Controls, Pointer},
};
use crate::{
    components::{InPlay, Position, Radius, StableId},
    input::{allow, pointer::PointerCapture},
    view::{Canvas, CurrentView, DrawView, Drawn, Layer, Plate, ShownTo, Theme, Views, sees_layer_0},
};

/// Selects discs with clicks, boxes and keys: [`Selection`].
pub struct SelectPlugin;

impl Plugin for SelectPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.select = true);
        app.add_systems(PreUpdate, forget_the_gone.in_set(ControlSystems::Keys))
            .add_systems(PreUpdate, (choose, choose_by_keys, give_up).chain().in_set(ControlSystems::Select))
            .add_systems(DrawView, draw.run_if(sees_layer_0));
    }
}

/// The selected discs, in the order of selection.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(pub Vec<Entity>);

impl Selection {
    /// The selected disc, if there is exactly one.
    #[must_use]
    pub fn single(&self) -> Option<Entity> {
        match self.0[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Selects one disc or none. With `add`, it toggles the disc in the current selection.
    pub fn choose(&mut self, disc: Option<Entity>, add: bool) {
        match disc {
            Some(disc) if add => match self.0.iter().position(|&chosen| chosen == disc) {
                Some(at) => {
                    self.0.remove(at);
                }
                None => self.0.push(disc),
            },
            Some(disc) => self.0 = vec![disc],
            None if add => {}
            None => self.0.clear(),
        }
    }
}

/// The discs, given as entity and centre (metres), with centres in the box between two opposite corners (metres).
#[must_use]
pub fn in_box(from: Vec2, to: Vec2, discs: impl IntoIterator<Item = (Entity, Vec2)>) -> Vec<Entity> {
    let area = Rect::from_corners(from, to);
    discs.into_iter().filter(|&(_, centre)| area.contains(centre)).map(|(entity, _)| entity).collect()
}

fn forget_the_gone(mut selection: ResMut<Selection>, discs: Query<(), InPlay>) {
    if selection.0.iter().any(|&disc| !discs.contains(disc)) {
        selection.0.retain(|&disc| discs.contains(disc));
    }
}

pub(crate) fn choose(
    mut gestured: MessageReader<Gestured>,
    mut selection: ResMut<Selection>,
    (views, pointer): (Views, Res<Pointer>),
    discs: Query<(Entity, &Position, ShownTo), InPlay>,
) {
    for outcome in gestured.read() {
        match *outcome {
            Gestured::Click { on, add } => selection.choose(on, add),
            Gestured::Box { from, to, add } => {
                let shown = discs.iter().filter(|(.., shown)| views.shows(pointer.camera, shown));
                let inside = in_box(from, to, shown.map(|(entity, position, _)| (entity, position.0)));
                if !add {
                    selection.0.clear();
                }
                let fresh: Vec<Entity> = inside.into_iter().filter(|disc| !selection.0.contains(disc)).collect();
                selection.0.extend(fresh);
            }
            Gestured::Grabbed { disc } if !selection.0.contains(&disc) => selection.choose(Some(disc), false),
            Gestured::Grabbed { .. } | Gestured::Shot { .. } | Gestured::MayNotShoot => {}
        }
    }
}

/// Clears the selection, unless Escape has cancelled something else.
pub(crate) fn give_up(mut selection: ResMut<Selection>, mut inputs: Inputs) {
    if !selection.0.is_empty() && inputs.take(Control::Cancel) {
        selection.0.clear();
    }
}

/// Selects the next or the previous disc in the order of their numbers, or all.
fn choose_by_keys(
    inputs: Inputs,
    controls: Res<Controls>,
    mut selection: ResMut<Selection>,
    discs: Query<(Entity, &StableId), InPlay>,
) {
    let [next, previous, all] =
        [Control::SelectNext, Control::SelectPrevious, Control::SelectAll].map(|control| inputs.started(control));
    if !controls.select || !(next || previous || all) {
        return;
    }
    let mut order: Vec<_> = discs.iter().map(|(entity, id)| (*id, entity)).collect();
    order.sort_unstable();
    let order: Vec<Entity> = order.into_iter().map(|(_, entity)| entity).collect();
    if all {
        selection.0 = order;
    } else if !order.is_empty() {
        let count = order.len();
        // After the last selected one, wrapping around.
        let at = selection.0.last().and_then(|disc| order.iter().position(|other| other == disc));
        let to = match at {
            Some(at) if next => (at + 1) % count,
            Some(at) => (at + count - 1) % count,
            None if next => 0,
            None => count - 1,
        };
        selection.0 = vec![order[to]];
    }
}

/// Draws rings around the selected and the hovered discs, and the selection box.
fn draw(
    mut canvas: ResMut<Canvas>,
    (selection, gesture, pointer, attention, capture, view, theme): (
        Res<Selection>,
        Res<Gesture>,
        Res<Pointer>,
        Res<Attention>,
        Res<PointerCapture>,
        Res<CurrentView>,
        Res<Theme>,
    ),
    discs: Query<(Entity, &Position, &Radius, Option<&Drawn>, ShownTo), InPlay>,
) {
    let chosen = selection.0.iter().filter_map(|&disc| discs.get(disc).ok()).filter(|(.., shown)| view.shows(shown));
    for (_, position, radius, drawn, _) in chosen {
        let centre = Drawn::or(drawn, position);
        canvas.ring(Layer::Highlight, centre, radius.0 + view.px(5.0), view.px(2.2), theme.marks.selected);
    }
    if *gesture == Gesture::Idle
        && attention.mouse
        && !capture.is_held()
        && let Some(at) = pointer.world
    {
        let shown = discs.iter().filter(|(.., shown)| view.shows(shown));
        let places = shown.map(|(entity, position, radius, drawn, _)| (entity, Drawn::or(drawn, position), radius.0));
        let hovered = disc_at(at, view.px(SLACK), places).filter(|disc| !selection.0.contains(disc));
        if let Some((_, position, radius, drawn, _)) = hovered.and_then(|disc| discs.get(disc).ok()) {
            canvas.ring(
                Layer::Highlight,
                Drawn::or(drawn, position),
                radius.0 + view.px(4.0),
                view.px(1.5),
                theme.marks.hover,
            );
        }
    }
    if let Gesture::Boxing { from, to, .. } = *gesture {
        let (centre, half) = (from.midpoint(to), (to - from).abs() / 2.0);
        canvas.rect(Layer::Gesture, Plate::new(centre, half), theme.marks.selected.with_alpha(0.10));
        canvas.rect_outline(
            Layer::Gesture,
            Plate::new(centre, half),
            view.px(1.2),
            theme.marks.selected.with_alpha(0.8),
        );
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::components::Disc;

    fn entity(index: u64) -> Entity {
        Entity::from_bits(index + 1)
    }

    #[test]
    fn rings_are_drawn_around_what_the_view_shows() {
        let mut world = World::new();
        world.init_resource::<Canvas>();
        world.init_resource::<Gesture>();
        world.init_resource::<Attention>();
        world.init_resource::<PointerCapture>();
        world.init_resource::<CurrentView>();
        world.init_resource::<Theme>();
        world.insert_resource(Pointer { world: Some(Vec2::ZERO), ..default() });
        let chosen = world.spawn((Disc, Position(vec2(3.0, 0.0)))).id();
        let hovered = world.spawn(Disc).id();
        world.insert_resource(Selection(vec![chosen]));
        let rings = |world: &mut World| {
            world.resource_mut::<Canvas>().clear();
            world.run_system_once(draw).unwrap();
            world.resource::<Canvas>().len()
        };
        assert_eq!(rings(&mut world), 2);
        world.entity_mut(hovered).insert(InheritedVisibility::HIDDEN);
        assert_eq!(rings(&mut world), 1);
        world.entity_mut(chosen).insert(InheritedVisibility::HIDDEN);
        assert_eq!(rings(&mut world), 0);
    }

    #[test]
    fn a_box_may_be_drawn_from_any_corner() {
        let discs = [(entity(0), vec2(0.5, 0.5)), (entity(1), vec2(2.0, 0.5)), (entity(2), Vec2::NAN)];
        for (from, to) in [(Vec2::ZERO, Vec2::ONE), (Vec2::ONE, Vec2::ZERO), (vec2(0.0, 1.0), vec2(1.0, 0.0))] {
            assert_eq!(in_box(from, to, discs), vec![entity(0)]);
        }
    }

    #[test]
    fn adding_twice_takes_away() {
        let mut selection = Selection::default();
        selection.choose(Some(entity(0)), false);
        selection.choose(Some(entity(1)), true);
        assert_eq!(selection.0, vec![entity(0), entity(1)]);
        selection.choose(Some(entity(0)), true);
        assert_eq!(selection.single(), Some(entity(1)));
        selection.choose(None, true);
        assert_eq!(selection.single(), Some(entity(1)));
        selection.choose(None, false);
        assert_eq!(selection.single(), None);
    }
}
