//! The checked contents of a scene, listed and generated.

use crate::components::InvalidValue;

use super::{
    check,
    contents::{Contents, MAX_DISCS},
    format::SceneFile,
    generate::{MAX_GENERATORS, too_many_discs},
    registry::SceneRegistry,
};

impl SceneFile {
    /// All contents of the scene: the listed ones, then the generated ones, with warnings. It knows only what is
    /// shipped.
    ///
    /// # Errors
    /// The first invalid value: its place in the file, the value, and the valid range.
    pub fn expand(&self) -> Result<Contents, InvalidValue> {
        self.expand_with(&SceneRegistry::default())
    }

    /// [`SceneFile::expand`] for a scene that may use registered names.
    ///
    /// # Errors
    /// The same as [`SceneFile::expand`].
    pub fn expand_with(&self, registry: &SceneRegistry) -> Result<Contents, InvalidValue> {
        let mut contents = Contents {
            terrain: self.terrain.clone(),
            pockets: self.pockets.clone(),
            discs: self.discs.clone(),
            tiles: self.tiles.clone(),
            joints: self.joints.clone(),
            table: None,
            warnings: Vec::new(),
        };
        let listed = self.listed();
        check::values(&contents, listed, registry)?;
        if self.generate.len() > MAX_GENERATORS {
            let problem = format!("it has {} generators; give {MAX_GENERATORS} at most", self.generate.len());
            return Err(InvalidValue::without_value("generate", problem));
        }
        for (i, generator) in self.generate.iter().enumerate() {
            let at = |invalid: InvalidValue| invalid.of(&format!("generate[{i}].{}", generator.name()));
            generator.run(&mut contents, registry).map_err(at)?;
            // The number of discs from a game's generator is known only afterwards.
            if contents.discs.len() > MAX_DISCS {
                return Err(at(too_many_discs()));
            }
        }
        if !self.generate.is_empty() {
            check::values(&contents, listed, registry)?;
        }
        check::check_images(&self.collision.periodic, &contents)?;
        contents.warnings = check::whole(&self.collision.periodic, &contents, listed);
        Ok(contents)
    }
}

impl SceneFile {
    /// Checks every value, and that the generators can run. It knows only what is shipped.
    ///
    /// # Errors
    /// The first invalid value: its place in the file, the value, and the valid range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        self.check_with(&SceneRegistry::default())
    }

    /// [`SceneFile::check`] for a scene that may use registered names.
    ///
    /// # Errors
    /// The same as [`SceneFile::check`].
    pub fn check_with(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        self.checked_contents(registry).map(|_| ())
    }

    /// All contents, if settings and contents pass [`SceneFile::check_with`].
    pub(super) fn checked_contents(&self, registry: &SceneRegistry) -> Result<Contents, InvalidValue> {
        self.check_settings(registry)?;
        self.expand_with(registry)
    }

    /// Checks only the settings, without discs and terrain.
    pub(crate) fn check_settings(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        check::settings::check(self, registry)
    }
}
