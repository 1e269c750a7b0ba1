//! Scenes: files, instances, joints, tables, links, saved states and predictions.
#![cfg(feature = "scene")]

mod files;
mod instances;
mod instruments;
mod joints;
mod links;
mod preview;
mod resume;
mod runs;
mod tables;
