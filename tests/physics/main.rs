//! The physics, judged from outside: against the articles' figures, exact results and properties. One behaviour a file.

mod collapse;
mod columns;
mod conservation;
mod contacts;
mod containment;
mod continuous;
mod determinism;
mod extension;
mod fixed_circles;
mod forces;
mod ids;
mod lifecycle;
mod moved_terrain;
mod oracle;
mod piles;
mod playback;
mod reference;
mod rest;
mod resting_groups;
mod safety;
mod support;
mod terrain;
mod tunnelling;
mod two_discs;
mod validation;
mod worlds;
