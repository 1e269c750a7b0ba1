//! Presets: named sets of material and surface parameters, as one choice instead of six sliders. They are defined in
//! `assets/presets.ron`.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use serde::Deserialize;
use tr::tr;

use super::{field::Field, widgets::edit};
use crate::{
    collision::{
        CollisionSettings,
        spin::{TablePhysics, cushion::CushionRestitution},
    },
    motion::MotionSettings,
    scene::CurrentScene,
    view::Named,
};

/// A preset. Parameters that are `None` stay unchanged.
#[derive(Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(default, deny_unknown_fields)]
struct Preset {
    name: String,
    /// A descriptive sentence.
    help: String,
    /// Coefficient of restitution between discs, 0 to 1.
    restitution: Option<f32>,
    /// Coefficient of restitution between discs and terrain, and on a billiard table with its cushions.
    terrain: Option<f32>,
    /// Coefficient of friction of sliding or rolling discs without a billiard table.
    friction: Option<f32>,
    /// Coefficient of sliding friction on a billiard table.
    sliding: Option<f32>,
    /// Coefficient of rolling friction.
    rolling: Option<f32>,
    /// 1/s.
    drag: Option<f32>,
    /// m/s².
    gravity: Option<Vec2>,
}

/// The acceleration that presses a disc onto the floor without a billiard table, m/s².
const WEIGHT: f32 = 9.81;

/// All settings that presets may set.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parameters {
    collision: CollisionSettings,
    motion: MotionSettings,
    /// `None` without a billiard table.
    table: Option<TablePhysics>,
}

impl Parameters {
    fn now(world: &World) -> Self {
        Self {
            collision: world.resource::<CollisionSettings>().clone(),
            motion: world.resource::<MotionSettings>().clone(),
            table: world.get_resource::<TablePhysics>().cloned(),
        }
    }

    /// The settings of the scene, or else the defaults.
    fn of_scene(world: &World) -> Self {
        let has_table = world.contains_resource::<TablePhysics>();
        let Some(CurrentScene { file, .. }) = world.get_resource::<CurrentScene>() else {
            return Self { table: has_table.then(TablePhysics::default), ..Self::default() };
        };
        let table = has_table.then(|| super::table::of_scene(world));
        Self { collision: file.collision.clone(), motion: file.motion.clone(), table }
    }

    /// These parameters, with those that presets may set copied from the others.
    fn set_as(&self, others: &Self) -> Self {
        let mut parameters = self.clone();
        let Self { collision, motion, table } = &mut parameters;
        collision.restitution = others.collision.restitution;
        collision.terrain_restitution = others.collision.terrain_restitution;
        *motion = others.motion.clone();
        if let (Some(table), Some(other)) = (table, &others.table) {
            (table.cloth.sliding, table.cloth.rolling) = (other.cloth.sliding, other.cloth.rolling);
            table.cushion.cloth_friction = other.cushion.cloth_friction;
            table.cushion.restitution = other.cushion.restitution;
        }
        parameters
    }

    fn write(self, world: &mut World) {
        edit(world, |collision: &mut CollisionSettings| *collision = self.collision);
        edit(world, |motion: &mut MotionSettings| *motion = self.motion);
        if let Some(values) = self.table {
            edit(world, |table: &mut TablePhysics| *table = values);
        }
    }
}

impl Preset {
    /// These parameters after applying the preset.
    fn applied(&self, parameters: &Parameters) -> Parameters {
        fn set<T: Copy>(value: &mut T, to: Option<T>) {
            *value = to.unwrap_or(*value);
        }
        let mut parameters = parameters.clone();
        let Parameters { collision, motion, table } = &mut parameters;
        set(&mut collision.restitution, self.restitution);
        set(&mut collision.terrain_restitution, self.terrain);
        set(&mut motion.drag, self.drag);
        set(&mut motion.gravity, self.gravity);
        let Some(table) = table else {
            set(&mut motion.friction, self.friction.map(|friction| friction * WEIGHT));
            return parameters;
        };
        // The cloth has the friction.
        set(&mut motion.friction, self.friction.map(|_| 0.0));
        set(&mut table.cloth.sliding, self.sliding);
        set(&mut table.cushion.cloth_friction, self.sliding);
        set(&mut table.cloth.rolling, self.rolling);
        set(&mut table.cushion.restitution, self.terrain.map(CushionRestitution::Constant));
        parameters
    }
}

/// The presets in the panel.
#[derive(Resource, Clone, Debug)]
pub struct Presets(Vec<Preset>);

impl Default for Presets {
    /// The presets of `assets/presets.ron`.
    fn default() -> Self {
        let presets: Result<Vec<Preset>, _> = ron::from_str(include_str!("../../assets/presets.ron"));
        // A test checks that it parses.
        Self(presets.unwrap_or_default())
    }
}

/// The row that chooses a preset.
pub(super) fn show_row(ui: &mut Ui, world: &mut World) {
    let Some(presets) = world.get_resource::<Presets>() else { return };
    let now = Parameters::now(world);
    let of_scene = now.set_as(&Parameters::of_scene(world));
    let is = |preset: &Preset| preset.applied(&now) == now;
    // A preset that sets the discs' restitution is more specific.
    let present = presets.0.iter().filter(|preset| is(preset)).max_by_key(|preset| preset.restitution.is_some());
    let text = match present {
        _ if now == of_scene => tr!("scene default"),
        Some(Preset { name, .. }) => tr!(name),
        None => tr!("custom"),
    };
    let mut chosen = None;
    let row = Field::new(
        tr!("Preset"),
        tr!("Named sets of restitution, friction, drag and gravity. Values a set does not name stay unchanged."),
    );
    let own = tr!("the scene's values");
    let reset = row.with_reset(ui, now != of_scene, &own, |ui| {
        let width = ui.available_width() - 8.0;
        let chooser = egui::ComboBox::from_id_salt("preset").selected_text(text).width(width).height(420.0).truncate();
        let chooser = chooser.show_ui(ui, |ui| {
            for preset in &presets.0 {
                let Preset { name, help, .. } = preset;
                if ui.selectable_label(is(preset), tr!(name)).on_hover_text(tr!(help)).clicked() {
                    chosen = Some(preset.applied(&now));
                }
            }
        });
        row.explained(chooser.response.named(row.name()), &own);
    });
    if let Some(parameters) = if reset { Some(of_scene) } else { chosen } {
        parameters.write(world);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use egui_kittest::{Harness, kittest::Queryable};

    use super::{
        super::{table, tests::app},
        *,
    };
    use crate::{
        collision::spin::Cloth,
        components::InvalidValue,
        scene::{
            self, DiscEntry, SceneAppExt, SceneFile, SceneGenerator, SceneRegistry, SceneSource, generate::Contents,
        },
    };

    /// The number of runs of the generator below.
    static RUNS: AtomicU32 = AtomicU32::new(0);

    /// A table with a ball, as a game may generate it.
    #[derive(Deserialize)]
    struct Counted {
        sliding: f32,
    }

    impl SceneGenerator for Counted {
        fn run(&self, contents: &mut Contents) -> Result<(), crate::components::InvalidValue> {
            RUNS.fetch_add(1, Ordering::Relaxed);
            let cloth = Cloth { sliding: self.sliding, ..Cloth::default() };
            contents.table = Some(TablePhysics { cloth, ..TablePhysics::default() });
            contents.discs.push(DiscEntry { ball: true, radius: 0.03, ..DiscEntry::default() });
            Ok(())
        }
    }

    #[test]
    fn the_table_of_a_generator_is_what_a_reset_goes_back_to_and_is_made_once() {
        let mut app = app();
        app.add_scene_generator::<Counted>("counted");
        let text = r#"(generate: [Custom(name: "counted", settings: (sliding: 0.33))])"#;
        let file = SceneFile::parse_with(text, "test.ron", &SceneRegistry::of(app.world())).unwrap();
        scene::spawn(app.world_mut(), SceneSource::Path("test.ron".into()), file).unwrap();
        let runs = RUNS.load(Ordering::Relaxed);
        let show = |ui: &mut Ui, app: &mut App| {
            show_row(ui, app.world_mut());
            table::show(ui, app.world_mut());
        };
        let mut harness = Harness::builder().with_size([400.0, 800.0]).build_ui_state(show, app);
        harness.run_steps(5);
        let sliding = |harness: &Harness<App>| harness.state().world().resource::<TablePhysics>().cloth.sliding;
        assert_eq!(sliding(&harness), 0.33);
        for name in ["Reset preset", "Reset sliding"] {
            harness.state_mut().world_mut().resource_mut::<TablePhysics>().cloth.sliding = 0.1;
            harness.run_steps(2);
            harness.get_by_label(name).click();
            harness.run_steps(2);
            assert_eq!(sliding(&harness), 0.33, "{name}");
        }
        assert_eq!(RUNS.load(Ordering::Relaxed), runs, "showing it runs no generator");
    }

    /// Checks that all of its values are in range.
    fn check(preset: &Preset) -> Result<(), InvalidValue> {
        for table in [None, Some(TablePhysics::default())] {
            let Parameters { collision, motion, table } =
                preset.applied(&Parameters { table, ..Parameters::default() });
            collision.check()?;
            motion.check()?;
            table.map_or(Ok(()), |table| table.check())?;
        }
        Ok(())
    }

    #[test]
    fn the_file_holds_presets_that_can_be_simulated_and_are_apart() {
        let presets: Vec<Preset> = ron::from_str(include_str!("../../assets/presets.ron")).unwrap();
        assert!(presets.len() >= 8);
        for (i, preset) in presets.iter().enumerate() {
            check(preset).unwrap();
            assert!(preset.help.ends_with('.') && !preset.name.is_empty(), "{preset:?}");
            assert!(presets[..i].iter().all(|other| other.name != preset.name), "{}", preset.name);
        }
    }

    #[test]
    fn a_reset_takes_back_what_a_preset_has_set_and_nothing_else() {
        let scene = Parameters { table: Some(TablePhysics::default()), ..Parameters::default() };
        for preset in Presets::default().0 {
            let mut tuned = scene.clone();
            tuned.collision.substeps = 7;
            let after = preset.applied(&tuned);
            assert_eq!(after.set_as(&scene), tuned, "{}", preset.name);
        }
    }

    #[test]
    fn a_preset_sets_what_it_names_and_on_a_billiard_table_the_cloth() {
        let preset = Preset { restitution: Some(0.3), friction: Some(0.1), sliding: Some(0.5), ..default() };
        let before = Parameters::default();
        let after = preset.applied(&before);
        assert_eq!(after.collision, CollisionSettings { restitution: 0.3, ..before.collision.clone() });
        assert_eq!(after.motion.friction, 0.1 * WEIGHT);
        let table = preset.applied(&Parameters { table: Some(TablePhysics::default()), ..before });
        assert_eq!((table.motion.friction, table.table.map(|table| table.cloth.sliding)), (0.0, Some(0.5)));
    }
}
