//! The card of an experiment: the question, the prediction, the run, the result, the reason, and what to vary. Below
//! it, what a teacher needs: answers as a table, and a link with locked controls.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use bevy_egui::egui::{self, CollapsingHeader, ProgressBar, RichText, TextEdit, Ui};
use tr::tr;

use super::answers::{Answer, table, today};
use crate::{
    collision::{CollisionSettings, SolverMode},
    experiments::{self, Experiment, Outcome, Prediction, Trial, Vary},
    input::Controls,
    laboratory::Estimate,
    motion::MotionSettings,
    notice::{Notices, mark},
    number::{digits, trimmed, with_error},
    panel::{Field, Section, is_locked, widgets::usable},
    scene::{self, CurrentScene, PANEL_SECTIONS, SceneFile, SceneStarted},
    shell::{files::Files, links},
    timeline::Playback,
    view::{Named, Theme, theme::egui as ink},
};

/// The section of the panel.
pub(super) const SECTION: Section = Section::new("experiment", mark("Experiment"), show)
    .open()
    .applies(|world| experiment_of(world).is_some())
    .edits()
    .locks_its_parts()
    .after("scenes");

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Card>()
        .init_resource::<Controls>()
        .add_observer(start_anew)
        .add_systems(Update, record.run_if(is_due));
}

/// What the learner has entered and what came of it.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The number or the choice so far.
    draft: Option<Predicted>,
    committed: Option<Committed>,
    /// What differs in the scene from the question.
    varied: Vec<Varied>,
    /// Values that are being dragged.
    dragged: BTreeMap<&'static str, f64>,
    /// The name of the learner, for the table.
    learner: String,
    answers: Vec<Answer>,
    /// The sections that the next link locks.
    locks: BTreeSet<&'static str>,
    /// Whether the scene is being started by the card itself.
    is_starting: bool,
    /// The controls before the scene locked some of them.
    controls: Option<Controls>,
}

/// A varied value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Varied {
    name: &'static str,
    words: &'static str,
    unit: &'static str,
    value: f64,
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Predicted {
    Number(f64),
    Choice(usize),
}

/// A prediction that can no longer be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Committed {
    prediction: Predicted,
    /// The hash of the state at the start.
    hash: u64,
    /// Whether its answer is in the table.
    is_recorded: bool,
}

impl Varied {
    fn in_words(&self) -> String {
        let Self { words, unit, value, .. } = *self;
        format!("{} = {}", tr!(words), with_unit(digits(value), unit))
    }
}

fn experiment_of(world: &World) -> Option<&'static Experiment> {
    world.get_resource::<Trial>()?.experiment()
}

/// A scene that starts needs a new prediction. A scene of a class may lock the mouse and the keys.
fn start_anew(
    started: On<SceneStarted>,
    scene: Option<Res<CurrentScene>>,
    mut card: ResMut<Card>,
    mut controls: ResMut<Controls>,
) {
    if !card.is_starting {
        card.committed = None;
        card.dragged.clear();
        if !started.restart {
            card.draft = None;
        }
    }
    let scene = scene.as_deref();
    let varied = scene.and_then(|scene| Some(experiments::experiment(&scene.file.experiment)?.varied(&scene.file)));
    let varied = varied.into_iter().flatten();
    card.varied = varied.map(|(&Vary { name, words, unit, .. }, value)| Varied { name, words, unit, value }).collect();
    let is_locked = scene.is_some_and(|scene| scene.file.locked.iter().any(|name| name == SceneFile::ALL_LOCKED));
    match (card.controls, is_locked) {
        (None, true) => {
            card.controls = Some(*controls);
            *controls = Controls { shoot: false, move_discs: false, delete: false, ..*controls };
        }
        (Some(before), false) => {
            *controls = before;
            card.controls = None;
        }
        _ => {}
    }
}

fn show(ui: &mut Ui, world: &mut World) {
    let Some(experiment) = experiment_of(world) else { return };
    let Experiment { question, source, why, vary, .. } = *experiment;
    ui.label(RichText::new(tr!(question)).size(14.0));
    let varied: Vec<String> = world.resource::<Card>().varied.iter().map(Varied::in_words).collect();
    if !varied.is_empty() {
        ui.label(tr!("Here it is different: {}.", varied.join(", ")));
    }
    ui.add_space(4.0);
    let mode = world.resource::<CollisionSettings>().mode;
    if let Some(caution) = world.resource::<Trial>().caution(mode) {
        let colour = ink(world.resource::<Theme>().lesson.across);
        ui.label(RichText::new(tr!(caution)).color(colour));
    }
    let is_over = match world.resource::<Card>().committed {
        None => {
            predict(ui, world, experiment);
            false
        }
        Some(committed) => show_result(ui, world, experiment, committed.prediction),
    };
    if is_over {
        let part = CollapsingHeader::new(tr!("Why?")).default_open(true).show(ui, |ui| {
            ui.label(tr!(why));
            ui.weak(tr!(source));
        });
        part.header_response.on_hover_text(tr!("The reason for the result, and the source of the expected value"));
    }
    if !vary.is_empty() {
        let part = CollapsingHeader::new(tr!("What to vary")).default_open(is_over).show(ui, |ui| {
            let is_locked = is_locked(world, SECTION.name) || is_locked(world, SceneFile::ALL_LOCKED);
            if is_locked {
                ui.weak(tr!("Locked for this lesson"));
            }
            usable(ui, !is_locked, |ui| vary.iter().for_each(|vary| show_vary(ui, world, vary)));
        });
        part.header_response.on_hover_text(tr!("Other values for the scene; the expected value follows"));
    }
    show_answers(ui, world);
    if world.get_resource::<CurrentScene>().is_some_and(|scene| scene.file.locked.is_empty()) {
        let part = CollapsingHeader::new(tr!("For teachers")).show(ui, |ui| show_locks(ui, world));
        part.header_response.on_hover_text(tr!("A link for a class, with locked controls"));
    }
}

/// The number with the unit.
fn with_unit(number: String, unit: &str) -> String {
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// The field for the prediction, and the button that commits it.
fn predict(ui: &mut Ui, world: &mut World, experiment: &Experiment) {
    let help = tr!("Enter what you expect, before you see the result. Afterwards it cannot be changed.");
    let mut draft = world.resource::<Card>().draft;
    match experiment.prediction {
        Prediction::Number { low, high, decimals } => {
            let unit = with_unit(String::new(), experiment.unit);
            let mut number = match draft {
                Some(Predicted::Number(number)) => number,
                _ => low,
            };
            let field = Field::new(tr!("Prediction"), &*help).unit(&unit).digits(decimals).range(low..=high);
            let field = field.speed((high - low) / 300.0);
            field.row(ui, |ui, field| {
                if field.number(ui, &mut number).changed() {
                    draft = Some(Predicted::Number(number));
                }
            });
        }
        Prediction::Choice(choices) => {
            for (place, choice) in choices.iter().enumerate() {
                let words = choice.words;
                let option = ui.radio(draft == Some(Predicted::Choice(place)), tr!(words));
                if option.on_hover_text(&*help).clicked() {
                    draft = Some(Predicted::Choice(place));
                }
            }
        }
    }
    if draft != world.resource::<Card>().draft {
        world.resource_mut::<Card>().draft = draft;
    }
    let button = usable(ui, draft.is_some(), |ui| ui.button(tr!("Commit and play")));
    let help = tr!("Fixes the prediction and starts the scene from its beginning");
    let first = tr!("Enter a prediction first");
    if let (true, Some(prediction)) = (button.on_hover_text(help).on_disabled_hover_text(first).clicked(), draft) {
        commit(world, prediction);
    }
}

/// Fixes the prediction, and plays the scene from its start.
fn commit(world: &mut World, prediction: Predicted) {
    world.resource_mut::<Card>().is_starting = true;
    let restarted = scene::restart(world);
    let hash = scene::world_hash(world);
    let mut card = world.resource_mut::<Card>();
    card.is_starting = false;
    match restarted {
        Ok(()) => {
            card.committed = Some(Committed { prediction, hash, is_recorded: false });
            world.resource_mut::<Playback>().paused = false;
        }
        Err(error) => world.resource_mut::<Notices>().error(error.to_string()),
    }
}

/// The prediction in words: a number, or the marked words of a choice.
fn in_words(experiment: &Experiment, prediction: Predicted, translate: impl Fn(&'static str) -> String) -> String {
    match (prediction, experiment.prediction) {
        (Predicted::Number(number), Prediction::Number { decimals, .. }) => trimmed(number, decimals),
        (Predicted::Choice(place), Prediction::Choice(choices)) => translate(choices[place].words),
        _ => String::new(),
    }
}

/// Shows the prediction beside the result. Returns whether the result is final.
fn show_result(ui: &mut Ui, world: &mut World, experiment: &Experiment, prediction: Predicted) -> bool {
    let Experiment { quantity, unit, exact, .. } = *experiment;
    let theme = world.resource::<Theme>();
    let colours = [theme.lesson.after, theme.lesson.across].map(ink);
    let outcome = world.resource::<Trial>().outcome();
    let Outcome { value, progress } = match outcome {
        Some(Ok(outcome)) => outcome,
        Some(Err(reason)) => {
            ui.label(RichText::new(translated(&reason)).color(colours[1]));
            return false;
        }
        None => Outcome::waiting(0.0),
    };
    let is_over = progress >= 1.0 && value.is_some();
    if !is_over {
        ui.add(ProgressBar::new(progress as f32).show_percentage()).named(tr!("Progress of the experiment"));
    }
    ui.weak(tr!(quantity));
    egui::Grid::new("experiment").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        let mut line = |name: String, value: String| {
            ui.weak(name);
            ui.label(RichText::new(value).strong());
            ui.end_row();
        };
        let chosen = in_words(experiment, prediction, |words| tr!(words));
        line(tr!("predicted"), if let Predicted::Number(_) = prediction { with_unit(chosen, unit) } else { chosen });
        if let Some(Estimate { value, error, theory }) = value {
            let [number, error] = with_error(value, error);
            let name = if is_over { tr!("measured") } else { tr!("so far") };
            line(name, with_unit(format!("{number} {error}").trim_end().to_owned(), unit));
            if let (true, Some(theory)) = (is_over, theory) {
                let kind = exact.words();
                line(tr!("expected ({})", tr!(kind)), with_unit(with_error(theory, None)[0].clone(), unit));
            }
        }
    });
    if let (true, Some(Estimate { value, error, .. })) = (is_over, value) {
        let (verdict, colour) = match prediction {
            Predicted::Number(number) => {
                let off = number - value;
                let size = value.abs().max(f64::MIN_POSITIVE);
                let is_within = off.abs() <= error.unwrap_or(0.0).max(0.02 * size);
                let verdict = if is_within {
                    tr!("Your prediction is right.")
                } else {
                    tr!("Your prediction is off by {} %.", trimmed(100.0 * off.abs() / size, 0))
                };
                (verdict, colours[usize::from(!is_within)])
            }
            Predicted::Choice(place) if experiment.prediction.choice_of(value) == Some(place) => {
                (tr!("Your prediction is right."), colours[0])
            }
            Predicted::Choice(_) => (tr!("It comes out differently."), colours[1]),
        };
        ui.label(RichText::new(verdict).color(colour).strong());
        let again = ui.button(tr!("Predict again"));
        if again.on_hover_text(tr!("Forgets this prediction. Its answer stays in the table.")).clicked() {
            let mut card = world.resource_mut::<Card>();
            (card.committed, card.draft) = (None, None);
        }
    }
    is_over
}

/// A text that is marked where it is defined.
fn translated(text: &str) -> String {
    tr!(text)
}

/// A value to vary. The scene restarts with it.
fn show_vary(ui: &mut Ui, world: &mut World, vary: &'static Vary) {
    let Vary { name, words, unit, range: [low, high], is_whole, .. } = *vary;
    let file = world.get_resource::<CurrentScene>().map(|scene| &scene.file);
    let Some(now) = file.and_then(|file| (vary.get)(file)) else { return };
    let words = tr!(words);
    ui.weak(&*words);
    let unit = with_unit(String::new(), unit);
    let mut value = world.resource::<Card>().dragged.get(name).copied().unwrap_or(now);
    let help = tr!("From {} to {}. The scene restarts with it.", low, high);
    let field = Field::new(&*words, help).unit(&unit).range(low..=high).digits(if is_whole { 0 } else { 4 });
    let response = field.speed((high - low) / 300.0).number(ui, &mut value);
    if value == now {
        return;
    }
    if response.dragged() || response.has_focus() {
        world.resource_mut::<Card>().dragged.insert(name, value);
        return;
    }
    let value = if is_whole { value.round() } else { value };
    if let Err(error) = change(world, vary, value) {
        world.resource_mut::<Notices>().error(error);
    }
    world.resource_mut::<Card>().dragged.clear();
}

/// Restarts the scene with another value. The settings of the running scene stay.
fn change(world: &mut World, vary: &'static Vary, value: f64) -> Result<(), String> {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return Ok(()) };
    let (source, mut file) = (scene.source.clone(), scene.file.clone());
    file.collision = world.resource::<CollisionSettings>().clone();
    file.motion = world.resource::<MotionSettings>().clone();
    vary.apply(&mut file, value)?;
    let mut card = world.resource_mut::<Card>();
    card.committed = None;
    card.is_starting = true;
    let paused = world.resource::<Playback>().paused;
    let spawned = scene::spawn(world, source, file);
    world.resource_mut::<Card>().is_starting = false;
    world.resource_mut::<Playback>().paused = paused;
    spawned.map_err(|error| error.to_string())
}

fn is_due(card: Res<Card>, trial: Option<Res<Trial>>) -> bool {
    card.committed.is_some_and(|committed| !committed.is_recorded) && trial.is_some_and(|trial| trial.is_done())
}

/// Puts the answer into the table, and pauses, so that the end can be looked at.
fn record(trial: Res<Trial>, settings: Res<CollisionSettings>, mut card: ResMut<Card>, mut playback: ResMut<Playback>) {
    let (Some(experiment), Some(Ok(outcome))) = (trial.experiment(), trial.outcome()) else { return };
    let (Some(Estimate { value, error, theory }), Some(committed)) = (outcome.value, &mut card.committed) else {
        return;
    };
    committed.is_recorded = true;
    playback.paused = true;
    let Committed { prediction, hash, .. } = *committed;
    let right = match prediction {
        Predicted::Choice(place) => Some(experiment.prediction.choice_of(value) == Some(place)),
        Predicted::Number(_) => None,
    };
    let mode = SolverMode::ALL.into_iter().find(|(mode, _)| *mode == settings.mode).map_or("", |(_, words)| words);
    let varied: Vec<String> = card.varied.iter().map(|Varied { name, value, .. }| format!("{name}={value}")).collect();
    card.answers.push(Answer {
        date: today(),
        experiment: experiment.name,
        mode: mode.to_owned(),
        prediction: in_words(experiment, prediction, str::to_owned),
        measured: value,
        error,
        expected: theory,
        unit: experiment.unit,
        right,
        varied: varied.join(" "),
        hash,
    });
}

/// The name of the file of a learner's answers.
fn file_name(learner: &str) -> String {
    let name: String = learner.split_whitespace().collect::<Vec<_>>().join("-");
    let name: String = name.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').take(40).collect();
    if name.is_empty() { "carom-answers.csv".to_owned() } else { format!("carom-answers-{name}.csv") }
}

/// The name of the learner, and the button that saves the table.
fn show_answers(ui: &mut Ui, world: &mut World) {
    let count = world.resource::<Card>().answers.len() as u64;
    if count == 0 {
        return;
    }
    ui.add_space(4.0);
    let mut learner = world.resource::<Card>().learner.clone();
    let (hint, help) = (tr!("Your name"), tr!("It is written into the table of answers and nowhere else."));
    ui.horizontal(|ui| {
        let save = ui.button(tr!("Save an answer…" | "Save {n} answers…" % count));
        if save.on_hover_text(tr!("Saves the answers of this session as a table (CSV), one row each")).clicked() {
            match table(&learner, &world.resource::<Card>().answers) {
                Ok(text) => world.resource_mut::<Files>().export(file_name(&learner), text),
                Err(error) => world.resource_mut::<Notices>().error(error),
            }
        }
        let field = TextEdit::singleline(&mut learner).hint_text(&hint).char_limit(100).desired_width(f32::INFINITY);
        ui.add(field).named(hint).on_hover_text(help);
    });
    if learner != world.resource::<Card>().learner {
        world.resource_mut::<Card>().learner = learner;
    }
}

/// The sections that a link can lock, with their titles.
const LOCKABLE: [(&str, &str); 7] = [
    (SceneFile::ALL_LOCKED, mark("everything that changes the scene")),
    ("experiment", mark("what the experiment varies")),
    ("physics", mark("Collisions")),
    ("forces", mark("Forces")),
    ("inspector", mark("Selected disc")),
    ("draw", mark("Draw")),
    ("solvers", mark("Stepped and continuous")),
];

/// The controls to lock, and the button that makes a link.
fn show_locks(ui: &mut Ui, world: &mut World) {
    ui.weak(tr!("Choose what learners may not change, and hand out the link. It starts the scene from its beginning."));
    let mut locks = world.resource::<Card>().locks.clone();
    for (name, title) in LOCKABLE {
        let mut is_locked = locks.contains(name);
        let words = tr!(title);
        let tick = ui.checkbox(&mut is_locked, &*words).named(tr!("Lock {}", words));
        let help = tr!("Shows these controls to learners, but locks them");
        if tick.on_hover_text(help).changed() {
            if is_locked {
                locks.insert(name)
            } else {
                locks.remove(name)
            };
        }
    }
    let copy = ui.button(tr!("Copy link for the class"));
    let is_wanted =
        copy.on_hover_text(tr!("Copies a link to the scene as it is now at its start, with these locks")).clicked();
    if locks != world.resource::<Card>().locks {
        world.resource_mut::<Card>().locks.clone_from(&locks);
    }
    if is_wanted {
        copy_locked(ui.ctx(), world, &locks);
    }
}

/// Restarts the scene, and copies a link to it with these sections locked.
fn copy_locked(ctx: &egui::Context, world: &mut World, locks: &BTreeSet<&'static str>) {
    debug_assert!(locks.iter().all(|name| *name == SceneFile::ALL_LOCKED || PANEL_SECTIONS.contains(name)));
    if let Err(error) = scene::restart(world) {
        world.resource_mut::<Notices>().error(error.to_string());
        return;
    }
    let set = |world: &mut World, locked: Vec<String>| world.resource_mut::<CurrentScene>().file.locked = locked;
    // The class looks at it before it plays.
    world.resource_mut::<Playback>().paused = true;
    set(world, locks.iter().map(|name| (*name).to_owned()).collect());
    links::copy(ctx, world);
    set(world, Vec::new());
}
