//! Billiards, judged from outside: closed forms and published figures, through whole ticks. One subject a file; the cases have the numbers of
//! the list that they were collected in.

mod cloth;
mod hits;
mod pockets;
mod shots;
mod support;
