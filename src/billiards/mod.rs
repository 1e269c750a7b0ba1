//! Billiards: what makes a table with balls out of discs and terrain.
//!
//! | module | what it holds |
//! |---|---|
//! | [`tables`] | tables as data, and the cushions, jaws, pockets, spots and racks that follow from them |

pub mod tables;
