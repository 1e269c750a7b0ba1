//! Lists the widgets of the window in a file, for scripts and tests that press them by name.
//!
//! If the environment variable `CAROM_WIDGETS` names a file, the program keeps a list (JSON) there of what it reports
//! to screen readers. Each widget has its role, name, value, whether it is enabled, and its rectangle in pixels of the
//! window (left, top, right, bottom). Without the variable, no system is added.

use std::{path::PathBuf, time::Duration};

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::{
    EguiContext, EguiOutput, EguiPostUpdateSet, PrimaryEguiContext,
    egui::accesskit::{Node, Role},
};
use serde::Serialize;

use crate::storage::write_whole;

/// The environment variable that names the file.
const VARIABLE: &str = "CAROM_WIDGETS";

/// The shortest interval between two updates of the list.
const EVERY: Duration = Duration::from_millis(200);

#[derive(Serialize)]
struct Widget<'a> {
    role: String,
    name: &'a str,
    value: Option<&'a str>,
    usable: bool,
    /// Left, top, right and bottom, pixels of the window.
    rect: [f64; 4],
}

impl<'a> Widget<'a> {
    /// The widget of a node, if the node has a name.
    fn of(node: &'a Node, pixels_per_point: f64) -> Option<Self> {
        let (name, place) = (node.label()?, node.bounds()?);
        let rect = [place.x0, place.y0, place.x1, place.y1].map(|edge| edge * pixels_per_point);
        Some(Self { role: format!("{:?}", node.role()), name, value: node.value(), usable: !node.is_disabled(), rect })
    }
}

/// The file and its last content.
#[derive(Resource)]
struct List {
    path: PathBuf,
    text: String,
    at: Option<Instant>,
}

/// Keeps the list if the environment asks for one.
pub(super) fn plugin(app: &mut App) {
    if let Some(path) = std::env::var_os(VARIABLE) {
        app.insert_resource(List { path: path.into(), text: String::new(), at: None })
            .add_systems(PostUpdate, write.after(EguiPostUpdateSet::ProcessOutput));
    }
}

fn write(
    mut list: ResMut<List>,
    context: Option<Single<(&mut EguiContext, &EguiOutput), With<PrimaryEguiContext>>>,
) -> Result {
    let Some(mut context) = context.filter(|_| list.at.is_none_or(|at| at.elapsed() >= EVERY)) else { return Ok(()) };
    let (context, output) = &mut *context;
    let ctx = context.get_mut();
    ctx.enable_accesskit();
    let Some(update) = &output.platform_output.accesskit_update else { return Ok(()) };
    let scale = f64::from(ctx.pixels_per_point());
    let nodes = update.nodes.iter().map(|(_, node)| node).filter(|node| node.role() != Role::Label);
    let widgets: Vec<_> = nodes.filter_map(|node| Widget::of(node, scale)).collect();
    let text = serde_json::to_string(&widgets)?;
    if text != list.text {
        write_whole(&list.path, text.as_bytes())?;
        list.text = text;
    }
    list.at = Some(Instant::now());
    Ok(())
}
