//! Checks the values of the scene itself: collision, motion, time, the camera, the panel.

use crate::{
    components::{InvalidValue, is_within_limit, shortest},
    laboratory::instruments::Instruments,
    scene::{entries::TileEntry, format::SceneFile, furniture::DrawnTable, look::Camera, registry::SceneRegistry},
};

pub(in crate::scene) fn check(file: &SceneFile, registry: &SceneRegistry) -> Result<(), InvalidValue> {
    file.check_sections()?;
    if let Some(name) = &file.furniture {
        DrawnTable::named(name).map_err(|error| InvalidValue::without_value("furniture", error.to_string()))?;
    }
    InvalidValue::check_range("trails", file.trails, SceneFile::TRAILS, "s")?;
    if let Camera::At { centre, height } = file.camera
        && !(centre.is_finite() && height.is_finite() && height > 0.0)
    {
        let camera = format!("At(centre: ({}, {}), height: {height})", centre.x, centre.y);
        return Err(InvalidValue::new("camera", camera, "set them to finite numbers, the height above zero"));
    }
    check_tiles(&file.tiles)?;
    Instruments::check(&file.instruments)?;
    registry.lesson(file.lesson.name)?;
    check_panel("panel", &file.panel, registry)?;
    check_panel("locked", &file.locked, registry)
}

impl SceneFile {
    /// Checks the ranges of the values of collision, motion, pace and table.
    pub(crate) fn check_sections(&self) -> Result<(), InvalidValue> {
        self.collision.check().map_err(|invalid| invalid.of("collision"))?;
        self.motion.check().map_err(|invalid| invalid.of("motion"))?;
        self.pace.check().map_err(|invalid| invalid.of("pace"))?;
        self.table.as_ref().map_or(Ok(()), |table| table.check().map_err(|invalid| invalid.of("table")))
    }
}

/// The largest number of cells into which the sides of all tiles may cut the plane. The outline of the table is made
/// from a table of these cells, and has at most twice as many edges. The limit is enough for 255 tiles in general
/// position.
const MAX_CELLS: usize = 512 * 512;

fn check_tiles(tiles: &[TileEntry]) -> Result<(), InvalidValue> {
    check_each_tile(tiles)?;
    let cuts = |sides: fn(&TileEntry) -> [f32; 2]| {
        // Adding zero removes the sign of a negative zero.
        let mut cuts: Vec<f32> = tiles.iter().flat_map(sides).map(|side| side + 0.0).collect();
        cuts.sort_by(f32::total_cmp);
        cuts.dedup();
        cuts.len() + 1
    };
    let cells = cuts(|tile| [tile.min.x, tile.max.x]).saturating_mul(cuts(|tile| [tile.min.y, tile.max.y]));
    if cells > MAX_CELLS {
        let problem = format!(
            "the sides of all {} cut the plane into {cells} cells; give fewer, or align them, for {MAX_CELLS} at most",
            tiles.len()
        );
        return Err(InvalidValue::without_value("tiles", problem));
    }
    Ok(())
}

fn check_each_tile(tiles: &[TileEntry]) -> Result<(), InvalidValue> {
    tiles.iter().enumerate().try_for_each(|(i, TileEntry { min, max })| {
        if is_within_limit(*min) && is_within_limit(*max) && min.cmplt(*max).all() {
            return Ok(());
        }
        let [left, bottom, right, top] = [min.x, min.y, max.x, max.y].map(|number| shortest(f64::from(number)));
        let tile = format!("from ({left}, {bottom}) to ({right}, {top})");
        let remedy = "put min to the left of max and below it, within 1e12 m";
        Err(InvalidValue::new(format!("tiles[{i}]"), tile, remedy))
    })
}

fn check_panel(field: &str, sections: &[String], registry: &SceneRegistry) -> Result<(), InvalidValue> {
    let is_all = |name: &str| field == "locked" && name == SceneFile::ALL_LOCKED;
    sections.iter().enumerate().filter(|(_, name)| !is_all(name)).try_for_each(|(i, name)| {
        registry.check_panel_section(name).map_err(|invalid| invalid.of(&format!("{field}[{i}]")))
    })
}
