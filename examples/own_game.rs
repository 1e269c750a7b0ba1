//! A custom game on a custom table, bot against bot without a window: five balls on a small table; the player who pots
//! three of them wins. After potting a ball the player continues. After a shot that hits nothing or pots the cue ball,
//! the other player gets the cue ball in hand.
//!
//! `cargo run --release --example own_game`

use std::{error::Error, sync::Arc};

use BallName::{Cue, Number};
use bevy::prelude::*;
use carom::{
    billiards::tables::{BallName, ShippedTable, TableSpec},
    games::{
        BallId, BallPlace, Foul, Game, GameTable, Layout, Match, MatchSpec, Note, Player, PlayerSpec, Region, Report,
        Rules, Shot, ShotConstraints, Standing, Turn, Verdict, bot,
    },
    random::Random,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut bots = [bot::player("bot:medium")?, bot::player("bot:beginner")?];
    let players = [0, 1].map(|seat: usize| bots[seat].name().to_owned());
    let spec = MatchSpec {
        game: FIVE.name.to_owned(),
        players: players.map(PlayerSpec::from),
        race_to: 2,
        seed: 1,
        ..MatchSpec::default()
    };
    let mut playing = Match::on_table(spec, &FIVE, Arc::new(GameTable::new(small_table())?))?;
    while let Some((player, _)) = playing.turn() {
        let bot = &mut bots[player.index()];
        let action = bot.decide(playing.game_state());
        let Report { shot, verdict, .. } = playing.apply(action)?;
        if let Some(shot) = shot {
            println!("{} pots {} {:?} {:?}", bot.name(), shot.potted().count(), verdict.fouls, verdict.remarks);
        }
    }
    println!("{:#?}", playing.statistics());
    Ok(())
}

/// The numbers of a five-foot pool table. A table can also be a file, see `TableSpec::parse`.
fn small_table() -> TableSpec {
    let pool = ShippedTable::named("pool-9ft").and_then(ShippedTable::spec).expect("it is shipped");
    TableSpec {
        title: "Pool, 5 ft".to_owned(),
        length: 1.4,
        width: 0.7,
        spots: Vec::new(),
        head_string: Some(-0.35),
        sights: None,
        racks: Vec::new(),
        ..pool
    }
}

/// Its entry in a list of games.
static FIVE: Game = Game {
    about: "The first player to pot three of the five balls wins.",
    ..Game::new("five", "Five balls", |table, _| Ok(Box::new(Five::new(table))))
};

/// The cue ball, and five others.
const BALLS: [BallName; 6] = [Cue, Number(1), Number(2), Number(3), Number(4), Number(5)];

/// A rack of it.
#[derive(Clone, Debug)]
struct Five {
    table: Arc<GameTable>,
    standing: Standing,
}

impl Five {
    fn new(table: &Arc<GameTable>) -> Self {
        let standing = Standing::new(shoot(Player(0), Some(Region::BehindHeadString)));
        Self { table: table.clone(), standing }
    }
}

fn shoot(player: Player, in_hand: Option<Region>) -> Turn {
    Turn::shoot(player, ShotConstraints { in_hand, ..ShotConstraints::of(BallId(0)) })
}

impl Rules for Five {
    fn balls(&self) -> &[BallName] {
        &BALLS
    }

    fn layout(&mut self, seed: u64) -> Layout {
        let (mut random, mut layout) = (Random::new(seed), Layout::in_hand(BALLS.len()));
        for ball in layout.balls().skip(1) {
            let half = 0.7 * self.table.half();
            let place = (0..100).map(|_| random.within(-half, half));
            let free = place.into_iter().find(|&place| layout.is_free(place, self.table.ball_radius(), None));
            layout[ball] = BallPlace::Table(free.unwrap_or(half));
        }
        layout
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Standing { turn: Turn { player, .. }, score, current_break } = &mut self.standing;
        let (mut verdict, player) = (Verdict::default(), *player);
        verdict.fouls.extend(shot.first_hit(BallId(0)).is_none().then_some(Foul::NoHit));
        verdict.fouls.extend(shot.pocket_of(BallId(0)).map(Foul::Scratch));
        let potted = shot.potted().filter(|&(ball, _)| ball != BallId(0)).count() as i32;
        let is_clean = verdict.fouls.is_empty();
        verdict.points[player.index()] = potted * i32::from(is_clean);
        verdict.goes_on = is_clean && potted > 0;
        if potted > 1 && is_clean {
            verdict.remarks.push("Several at once!".into());
        }
        score[player.index()] += verdict.points[player.index()];
        *current_break = if verdict.goes_on { *current_break + potted } else { 0 };
        if !is_clean {
            verdict.placed.push((BallId(0), BallPlace::Hand));
        }
        let left = shot.after.on_table().filter(|&(ball, _)| ball != BallId(0)).count();
        self.standing.turn = match *score {
            [first, second] if first >= 3 || second >= 3 || left == 0 => Turn::won_by(Player(u8::from(second > first))),
            _ if verdict.goes_on => shoot(player, None),
            _ => shoot(player.other(), (!is_clean).then_some(Region::Anywhere)),
        };
        verdict
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        vec![Note::ToGo(3 - self.standing.score[player.index()])]
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
