//! The physics, judged from outside: against the seeds' figures, exact results and properties. One behaviour a file.

mod collapse;
mod conservation;
mod containment;
mod continuous;
mod determinism;
mod extension;
mod fixed_circles;
mod lifecycle;
mod oracle;
mod piles;
mod playback;
mod reference;
mod refusal;
mod safety;
mod support;
mod terrain;
mod tunnelling;
mod two_discs;
