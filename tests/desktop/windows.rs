//! Several windows as one table: they are dragged on a real desktop, and one of them is closed.

use std::{thread, time::Duration};

use crate::screen::{Desktop, difference, skip, wait_for};

/// The right edge of the first window. It shows the edge of the table, except where another window touches it.
const RIGHT_EDGE: (std::ops::Range<u32>, std::ops::Range<u32>) = (556..560, 100..340);

#[test]
fn three_windows_are_one_table_until_one_is_dragged_away() {
    let mut desktop = match Desktop::open("windows") {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    desktop.start(&["--windows", "3", "--theme", "dark"]).expect("the program starts");
    let touching = match desktop.first_picture() {
        Ok(picture) => picture,
        Err(said) => return skip(&said),
    };
    assert_eq!(touching.dimensions(), (560, 360), "the first of three");
    let second = wait_for(|| desktop.windows("Tiles 2").first().cloned()).expect("there are others");
    assert_eq!(desktop.windows("Tiles").len(), 3);

    let (x, y) = RIGHT_EDGE;
    let height = y.len();
    for step in 1..=6 {
        desktop.mouse(&["windowmove", &second, &(620 + 15 * step).to_string(), "112"]);
        thread::sleep(Duration::from_millis(100));
    }
    thread::sleep(Duration::from_secs(1));
    let apart = desktop.picture("apart").expect("it goes on");
    let edge = difference(&touching, &apart, x.clone(), y.clone());
    assert!(edge > height, "where they touched is an edge now: {edge} pixels changed");

    desktop.mouse(&["windowmove", &second, "620", "112"]);
    thread::sleep(Duration::from_secs(1));
    let again = desktop.picture("again").expect("it goes on");
    let edge = difference(&apart, &again, x.clone(), y.clone());
    assert!(edge > height, "the edge is gone: {edge} pixels changed");

    // When one window is closed, the others continue, and the table has an edge there.
    if !desktop.quit(&second) {
        // Older versions of xdotool cannot ask it to close.
        return;
    }
    assert!(wait_for(|| (desktop.windows("Tiles").len() == 2).then_some(())).is_some(), "it is closed");
    thread::sleep(Duration::from_secs(1));
    let closed = desktop.picture("closed").expect("it goes on");
    let edge = difference(&again, &closed, x, y);
    assert!(edge > height, "there is an edge: {edge} pixels changed");
    // Closing the first window ends the program.
    let first = desktop.windows("Tiles").into_iter().find(|window| !desktop.windows("Tiles 3").contains(window));
    assert!(desktop.quit(&first.expect("it is there")));
    let said = wait_for(|| desktop.ended()).expect("it ends");
    assert!(said.contains("exit status: 0"), "{said}");
}
