//! Billiards, judged from outside: closed forms and published figures, through whole ticks. One subject a file; the
//! cases have the numbers of the list that they were collected in.

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
