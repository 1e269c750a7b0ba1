//! All that is in a scene, checked: what it lists and what its generators make.

use crate::components::InvalidValue;

use super::{
    check,
    contents::{Contents, MAX_DISCS},
    format::SceneFile,
    generate::{MAX_GENERATORS, too_many_discs},
    registry::SceneRegistry,
};

impl SceneFile {
    /// All terrain and discs of the scene: those that are listed, then those that its generators make; and what is odd
    /// about them. It knows what is shipped.
    ///
    /// # Errors
    /// The first value that makes no sense: its place in the file, the value, and what is allowed.
    pub fn expand(&self) -> Result<Contents, InvalidValue> {
        self.expand_with(&SceneRegistry::default())
    }

    /// [`SceneFile::expand`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneFile::expand`].
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
            // What a game has registered is not known before.
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
    /// Whether every value makes sense, and the generators can do what they are asked for. It knows what is shipped.
    ///
    /// # Errors
    /// The first that does not: its place in the file, its value, and what is allowed.
    pub fn check(&self) -> Result<(), InvalidValue> {
        self.check_with(&SceneRegistry::default())
    }

    /// [`SceneFile::check`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneFile::check`].
    pub fn check_with(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        self.checked_contents(registry).map(|_| ())
    }

    /// All that is in it, if settings and contents pass [`SceneFile::check_with`].
    pub(super) fn checked_contents(&self, registry: &SceneRegistry) -> Result<Contents, InvalidValue> {
        self.check_settings(registry)?;
        self.expand_with(registry)
    }

    /// Whether the settings make sense; the discs and the terrain are another matter.
    pub(crate) fn check_settings(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        check::settings::check(self, registry)
    }
}
