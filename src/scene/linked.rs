//! Reads scenes from links.

use super::{
    format::SceneFile, recorded::is_run, registry::SceneRegistry, shipped::ShippedScene, source::SceneSource,
    text::SceneError,
};
use crate::{
    components::InvalidValue,
    link::{Link, LinkError, LinkKind},
};

/// The largest number of opening parentheses in the text of a scene in a link. No valid link needs more, and this many
/// take little memory.
const MOST_PARENTHESES: usize = 1 << 16;

/// The largest number of generators of a scene in a link, and of discs that they may make in all.
const MOST_GENERATORS: usize = 16;

const MOST_GENERATED: usize = 50_000;

impl SceneSource {
    /// The scene of a link.
    ///
    /// # Errors
    /// [`SceneError::LinkToMatch`].
    pub fn from_link(link: Link) -> Result<Self, SceneError> {
        match link.kind {
            LinkKind::Scene | LinkKind::Run => Ok(Self::Link(Box::new(link))),
            LinkKind::Match => Err(SceneError::LinkToMatch),
        }
    }
}

/// Reads the scene of a link, in limited time and memory whatever its text.
pub(super) fn read(link: &Link, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
    if let (LinkKind::Scene, Some(scene)) = (link.kind, ShippedScene::named(&link.text)) {
        return SceneSource::Shipped(scene.name).read(registry);
    }
    if !link.text.starts_with('(') || is_run(&link.text) != (link.kind == LinkKind::Run) {
        return Err(LinkError::Broken.into());
    }
    if link.text.bytes().filter(|byte| *byte == b'(').count() > MOST_PARENTHESES {
        return Err(LinkError::TooLarge.into());
    }
    let name = "a link";
    let mut file = SceneFile::read(&link.text, name, registry)?;
    check_generators(&mut file).map_err(|invalid| SceneError::value(name, invalid))?;
    Ok(file)
}

pub(super) fn check_generators(file: &mut SceneFile) -> Result<(), InvalidValue> {
    let generators = file.generate.len();
    if generators > MOST_GENERATORS {
        let problem = format!(
            "it has {generators} generators, and in a link it may have {MOST_GENERATORS}; pass it on as a file"
        );
        return Err(InvalidValue::without_value("generate", problem));
    }
    let counts = file.generate.iter_mut().filter_map(|generator| generator.count_mut().copied());
    let count = counts.fold(0, usize::saturating_add);
    if count > MOST_GENERATED {
        let problem =
            format!("it makes {count} discs, and in a link it may make {MOST_GENERATED}; pass it on as a file");
        return Err(InvalidValue::without_value("generate", problem));
    }
    Ok(())
}
