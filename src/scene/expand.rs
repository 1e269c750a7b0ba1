//! Expands a scene into its complete contents, from lists and generators, and checks them.

use std::collections::BTreeSet;

use crate::{components::InvalidValue, laboratory::instruments::Instruments};

use super::{
    check,
    contents::{Contents, Listed, Maker},
    format::SceneFile,
    generate::{MAX_GENERATORS, too_many_discs},
    registry::SceneRegistry,
    whole::MAX_DISCS,
};

impl SceneFile {
    /// The complete contents of the scene: what it lists, then what its generators make, with warnings. Only shipped
    /// generators, components and tables are known.
    ///
    /// # Errors
    /// The first invalid value: its place in the file, the value, and what is allowed.
    pub fn expand(&self) -> Result<Contents, InvalidValue> {
        self.expand_with(&SceneRegistry::default())
    }

    /// Like [`SceneFile::expand`], with the registered additions of a game.
    ///
    /// # Errors
    /// As for [`SceneFile::expand`].
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
        let mut listed = Listed { count: contents.counts(), makers: &[] };
        check::values(&contents, listed, registry)?;
        if self.generate.len() > MAX_GENERATORS {
            let problem = format!("it has {} generators; give {MAX_GENERATORS} at most", self.generate.len());
            return Err(InvalidValue::without_value("generate", problem));
        }
        let mut makers = Vec::new();
        for (i, generator) in self.generate.iter().enumerate() {
            let place = format!("generate[{i}].{}", generator.name());
            generator.run(&mut contents, registry).map_err(|invalid| invalid.of(&place))?;
            // The output of a registered generator is not known in advance.
            if contents.discs.len() > MAX_DISCS {
                return Err(too_many_discs().of(&place));
            }
            makers.push(Maker { place, until: contents.counts() });
        }
        listed.makers = &makers;
        if !makers.is_empty() {
            check::values(&contents, listed, registry)?;
        }
        check::check_images(&self.collision.periodic, &contents)?;
        contents.warnings = check::whole(&self.collision.periodic, &contents, listed);
        if !self.instruments.is_empty() {
            let numbers = contents.numbers();
            let ids: BTreeSet<u64> = numbers.discs.into_iter().chain(numbers.terrain).collect();
            contents.warnings.extend(Instruments::warnings(&self.instruments, |id| ids.contains(&id)));
        }
        Ok(contents)
    }
}

impl SceneFile {
    /// Checks that every value is valid and that the generators can do their work. Only shipped generators, components
    /// and tables are known.
    ///
    /// # Errors
    /// The first invalid value: its place in the file, the value, and what is allowed.
    pub fn check(&self) -> Result<(), InvalidValue> {
        self.check_with(&SceneRegistry::default())
    }

    /// Like [`SceneFile::check`], with the registered additions of a game.
    ///
    /// # Errors
    /// As for [`SceneFile::check`].
    pub fn check_with(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        self.checked_contents(registry).map(|_| ())
    }

    /// The complete contents, if settings and contents pass [`SceneFile::check_with`].
    pub(super) fn checked_contents(&self, registry: &SceneRegistry) -> Result<Contents, InvalidValue> {
        self.check_settings(registry)?;
        self.expand_with(registry)
    }

    /// Checks the settings, but not the discs and the terrain.
    pub(crate) fn check_settings(&self, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        check::settings::check(self, registry)
    }
}
