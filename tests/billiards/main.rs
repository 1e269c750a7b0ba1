//! Billiards checked against closed forms and published figures, through complete ticks. Each file has one subject. The
//! case numbers are those of the list in which they were collected.

mod cloth;
mod hits;
mod jaws;
mod mathavan_2014;
mod page_figures;
mod path_error;
mod pockets;
mod shots;
mod side;
mod strokes;
mod support;
mod transfer;
