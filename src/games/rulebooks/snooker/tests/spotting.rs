//! Which balls come back, and where to.

use super::*;

#[test]
fn reds_stay_down_and_colours_come_back_after_a_foul() {
    let mut played = frame();
    played.shot("", "0-21 1@0 21@1 20! 2!");
    assert!(!played.layout.is_on_table(BallId(1)) && !played.layout.is_on_table(BallId(2)));
    assert_eq!([played.place(21), played.place(20)], [spot(&played, "black"), spot(&played, "pink")]);
}

#[test]
fn a_ball_whose_spot_is_taken_goes_to_the_highest_free_one() {
    let on = |name: &str| spot(&frame(), name);
    let yellow_goes_to = |at: &[(u8, Vec2)]| {
        let mut played = frame();
        played.shot("", "0-1 1@0");
        // Red 2 lies on the yellow's spot, and the black is off its spot.
        played.shot_to("16@0", "0-16 16@0", &[&[(2, on("yellow")), (21, vec2(0.5, 0.5))], at].concat());
        played.place(YELLOW)
    };
    assert_eq!(yellow_goes_to(&[]), on("black"));
    // A spot on which it would touch a ball is also occupied.
    let beside = (3, on("black") + vec2(0.0, 0.05255));
    assert_eq!(yellow_goes_to(&[beside, (PINK, vec2(0.5, -0.5))]), on("pink"));
    assert_eq!(yellow_goes_to(&[beside]).y, on("yellow").y);
}

#[test]
fn of_several_the_highest_is_spotted_first_where_their_spots_are_taken() {
    // Reds on all spots except the pink's: blue takes it, and brown goes near its own.
    let mut played = frame();
    let on = |name: &str| spot(&frame(), name);
    let at = [(2, on("yellow")), (3, on("green")), (4, on("brown")), (5, on("blue")), (6, on("black"))];
    let moved = [(16, vec2(0.5, 0.7)), (17, vec2(0.5, 0.5)), (20, vec2(0.5, 0.3)), (21, vec2(0.5, -0.3))];
    played.shot_to("", "0-19 19@0 18@0", &[&at[..], &moved[..]].concat());
    assert_eq!(played.place(BLUE), on("pink"));
    let brown = played.place(BROWN);
    assert_eq!(brown.y, 0.0);
    let gap = brown.x - on("brown").x - 0.0525;
    assert!(gap > 0.0 && gap < 2e-4, "not touching, toward the top cushion: {gap}");
}

#[test]
fn pink_and_black_go_below_their_spots_where_there_is_no_room_above() {
    let mut played = frame();
    let on = |name: &str| spot(&frame(), name);
    let black = on("black");
    let mut at =
        vec![(2, on("yellow")), (3, on("green")), (4, on("brown")), (5, on("blue")), (6, on("pink")), (7, black)];
    // Reds from the black spot to the top cushion, leaving no room between them.
    at.extend((0..5).map(|i| (8 + i, black + Vec2::X * (0.0526 * f32::from(i + 1)))));
    at.extend([
        (16, vec2(0.5, 0.7)),
        (17, vec2(0.5, 0.5)),
        (18, vec2(0.5, 0.3)),
        (19, vec2(0.5, -0.3)),
        (20, vec2(0.5, -0.5)),
    ]);
    at.extend((13..16).map(|i| (i, vec2(-0.5, 0.1 * f32::from(i - 13)))));
    at.push((1, vec2(-0.5, -0.2)));
    played.shot_to("", "0-21 21@0", &at);
    let gap = black.x - played.place(21).x - 0.0525;
    assert!(played.place(21).y == 0.0 && gap > 0.0 && gap < 2e-4, "{gap}");
}

#[test]
fn a_colour_that_is_potted_out_of_order_or_on_a_foul_comes_back() {
    let mut played = colours_from(GREEN);
    assert_eq!(points(&mut played, "", "0-17 17@0 18@0"), [0, 4]);
    assert!(played.layout.is_on_table(BallId(17)) && played.layout.is_on_table(BallId(18)));
    played.choose(Choice::PlayOn);
    assert_eq!(played.stroke().on, [BallId(17)]);
}
