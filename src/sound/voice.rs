//! The sound of one hit, sample by sample: a contact force that excites a few damped modes.
//!
//! The force is a half-sine over the contact time. For two discs, the main mode is the air around a suddenly
//! accelerated sphere (L. L. Koss and R. J. Alfredson, "Transient sound radiated by spheres undergoing an elastic
//! collision", Journal of Sound and Vibration 27, 1973). In the far field the pressure follows the sphere's velocity
//! through `s² / (s² + 2 s + 2)`, with `s` in units of `c / a`, the speed of sound divided by the radius. It thus has
//! the poles `(c / a) (-1 ± i)`.
//!
//! The contact time is that of H. Hertz (L. D. Landau and E. M. Lifshitz, Theory of Elasticity, §9): proportional to
//! the radius and to the speed to the power of -1/5, so that a hard hit sounds bright.
//!
//! A linear mode under a half-sine has a closed form, and samples are evaluated from it. So the sampling rate does not
//! affect the sound.

use std::f64::consts::{LN_2, PI, TAU};

use num_complex::Complex64 as Complex;

/// The radius of the reference disc, metres: a billiard ball, 57.15 mm across.
pub const REFERENCE_RADIUS: f32 = 0.028575;

/// The impulse with half of the maximal loudness before [`LOUDNESS_EXPONENT`], N s: a ball of 0.17 kg at 3 m/s.
pub const REFERENCE_IMPULSE: f32 = 0.5;

/// Loudness is the saturated impulse to this power. It raises soft hits slightly, as the ear does.
pub const LOUDNESS_EXPONENT: f64 = 0.7;

/// The longest voice, seconds.
pub const LONGEST: f32 = 0.4;

/// The fraction of full scale below which sound is inaudible (-80 dB).
const INAUDIBLE: f64 = 1e-4;

/// Speed of sound in air at 20 °C, metres per second.
const SPEED_OF_SOUND: f64 = 343.0;

/// The impulse at which a contact has its reference length, N s: two balls of 0.17 kg that collide at 1 m/s.
const CONTACT_IMPULSE: f64 = 0.17;

/// The contact time of two balls of phenolic resin at [`CONTACT_IMPULSE`], seconds.
const CLICK_CONTACT: f64 = 0.25e-3;

/// The contact time of a ball and a cushion at [`CONTACT_IMPULSE`], seconds. Rubber holds it for some ms.
const THUD_CONTACT: f64 = 2.5e-3;

/// The contact time of a ball and a bumper's ring at [`CONTACT_IMPULSE`], seconds.
const PING_CONTACT: f64 = 0.3e-3;

/// The contact time of a ball and the slate under its cloth at [`CONTACT_IMPULSE`], seconds.
const KNOCK_CONTACT: f64 = 0.9e-3;

/// The time in which leather stops a ball at [`CONTACT_IMPULSE`], seconds.
const DROP_CONTACT: f64 = 4e-3;

/// The largest rise in pitch for small discs, octaves.
const HIGHEST: f64 = 1.6;

/// The largest fall in pitch for large discs, octaves.
const LOWEST: f64 = 2.8;

/// The number of modes of a voice.
const MODES: usize = 4;

/// The kind of hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timbre {
    /// Two discs: short and crisp, higher for smaller discs.
    Click,
    /// A disc and a cushion or wall: soft and dull, damped wood.
    Thud,
    /// A disc and a bumper: a short metallic tone.
    Ping,
    /// A ball that lands on the slate: a short knock, lower than a click, of stone under cloth.
    Knock,
    /// A disc that falls into a pocket: softer and duller than a cushion, leather over wood.
    Drop,
}

/// The loudness of a hit of `impulse` N s, from 0 to 1, or 0 for an invalid impulse.
///
/// `(J / (J + J_ref)) ^ e` with [`REFERENCE_IMPULSE`] and [`LOUDNESS_EXPONENT`].
#[must_use]
pub fn loudness(impulse: f32) -> f32 {
    if impulse > 0.0 && impulse.is_finite() {
        let impulse = f64::from(impulse);
        (impulse / (impulse + f64::from(REFERENCE_IMPULSE))).powf(LOUDNESS_EXPONENT) as f32
    } else {
        0.0
    }
}

/// The apparent size of a disc of `radius` metres, in units of [`REFERENCE_RADIUS`].
///
/// Near a billiard ball it is to scale. Further away it approaches a limit, so that a grain of 1 mm stays audible and a
/// disc of 10 m stays within the range of loudspeakers. A larger disc always sounds larger.
#[must_use]
pub fn apparent_size(radius: f32) -> f32 {
    size(f64::from(radius)) as f32
}

fn size(radius: f64) -> f64 {
    let octaves = (radius / f64::from(REFERENCE_RADIUS)).log2();
    let limit = if octaves < 0.0 { HIGHEST } else { LOWEST };
    (limit * (octaves / limit).tanh()).exp2()
}

/// A damped mode before the hit.
#[derive(Clone, Copy)]
struct Tone {
    /// `-damping + i angular frequency`, per second.
    pole: Complex,
    /// Its share of the sound, and its phase.
    weight: Complex,
}

impl Tone {
    /// A mode of `frequency` Hz that decays to 1/e in `decay` seconds. Its velocity moves the air.
    const fn new(frequency: f64, decay: f64, weight: f64) -> Self {
        Self { pole: Complex::new(-1.0 / decay, TAU * frequency), weight: Complex::new(weight, 0.0) }
    }
}

/// The air around a ball of `size`, and a faint ring, which makes it sound like a click in a room instead of a single
/// sample of noise. The ring is not physical, as the ball's own modes are above hearing. Its pitches and weights are
/// set by ear.
fn click(size: f64) -> (f64, f64, [Tone; MODES]) {
    let corner = SPEED_OF_SOUND / (f64::from(REFERENCE_RADIUS) * size);
    let pitch = corner / TAU;
    // `s / (s² + 2 k s + 2 k²)` is `Re (1 + i) / (s + k - i k)`.
    let air = Tone { pole: Complex::new(-corner, corner), weight: Complex::new(1.0, 1.0) };
    let ring = size.sqrt();
    let tones = [
        air,
        Tone::new(1.25 * pitch, 1.4e-3 * ring, 0.16),
        Tone::new(2.05 * pitch, 1.1e-3 * ring, 0.18),
        Tone::new(3.3 * pitch, 0.8e-3 * ring, 0.14),
    ];
    (CLICK_CONTACT * size, 4.2, tones)
}

/// Cushion, rail and bed: the modes of a wooden frame, lower and slower for a large disc.
fn thud(size: f64) -> (f64, f64, [Tone; MODES]) {
    let size = size.powf(0.2);
    let tones = [
        Tone::new(130.0 / size, 16e-3 * size, 1.0),
        Tone::new(310.0 / size, 10e-3 * size, 1.1),
        Tone::new(545.0 / size, 6e-3 * size, 0.7),
        Tone::new(1150.0 / size, 3e-3 * size, 0.7),
    ];
    (THUD_CONTACT * size, 2.2, tones)
}

/// A bumper's ring. The ratios are those of a free bar, 1 : 2.756 : 5.404 (Lord Rayleigh, The Theory of Sound, §§170
/// ff.).
fn ping(size: f64) -> (f64, f64, [Tone; MODES]) {
    let size = size.cbrt();
    let first = 1180.0 / size;
    let tones = [
        Tone::new(first, 38e-3, 1.0),
        Tone::new(first * 1.006, 30e-3, 0.4),
        Tone::new(first * 2.756, 20e-3, 0.55),
        Tone::new(first * 5.404, 8e-3, 0.3),
    ];
    (PING_CONTACT * size, 0.8, tones)
}

/// The slate and the frame that carries it, through the cloth. Pitches and weights are set by ear.
fn knock(size: f64) -> (f64, f64, [Tone; MODES]) {
    let size = size.powf(0.2);
    let tones = [
        Tone::new(190.0 / size, 14e-3 * size, 1.0),
        Tone::new(420.0 / size, 9e-3 * size, 1.0),
        Tone::new(860.0 / size, 5e-3 * size, 0.8),
        Tone::new(1700.0 / size, 2.5e-3 * size, 0.5),
    ];
    (KNOCK_CONTACT * size, 1.0, tones)
}

/// The yielding leather of a pocket, and the wood that holds it.
fn drop(size: f64) -> (f64, f64, [Tone; MODES]) {
    let size = size.powf(0.2);
    let tones = [
        Tone::new(92.0 / size, 24e-3 * size, 1.0),
        Tone::new(175.0 / size, 17e-3 * size, 0.9),
        Tone::new(330.0 / size, 9e-3 * size, 0.5),
        Tone::new(720.0 / size, 4e-3 * size, 0.25),
    ];
    (DROP_CONTACT * size, 1.3, tones)
}

/// A sounding mode of a voice, with its weight and the voice's loudness included.
#[derive(Clone, Copy, Debug)]
struct Mode {
    /// The sine and cosine parts of its motion under the force.
    sine: Complex,
    cosine: Complex,
    /// The free part. It is subtracted during the force; afterwards it is the whole motion.
    free: Complex,
    /// The factor of the free part per sample.
    turn: Complex,
    /// The free part at the first sample after the contact.
    after: Complex,
}

/// The sound of one hit: an iterator over its samples, at a fixed rate, that ends when it is inaudible.
#[derive(Clone, Debug)]
pub struct Voice {
    modes: [Mode; MODES],
    /// The phase of the force, and its factor per sample.
    phase: Complex,
    phase_turn: Complex,
    /// Samples until the force ends, and until the voice ends.
    contact: u32,
    left: u32,
    loudness: f32,
}

impl Voice {
    /// The sound of a hit: `impulse` in N s, the `radius` of the disc (the smaller of two) in metres, and the sampling
    /// `rate` in Hz. `None` means silence: impulse or radius are zero, negative, infinite or NaN, the rate is zero, or
    /// the hit is too soft.
    ///
    /// No sample is above 1.
    #[must_use]
    pub fn new(timbre: Timbre, impulse: f32, radius: f32, rate: u32) -> Option<Self> {
        let loudness = loudness(impulse);
        if !(loudness > 0.0 && radius > 0.0 && radius.is_finite() && rate > 0) {
            return None;
        }
        let size = size(f64::from(radius));
        let (contact, level, tones) = match timbre {
            Timbre::Click => click(size),
            Timbre::Thud => thud(size),
            Timbre::Ping => ping(size),
            Timbre::Knock => knock(size),
            Timbre::Drop => drop(size),
        };
        let hardness = (f64::from(impulse) / CONTACT_IMPULSE).clamp(1e-2, 1e1);
        let contact = contact * hardness.powf(-0.2);
        let rate = f64::from(rate);
        let gain = f64::from(loudness) * level / tones.iter().map(|tone| tone.weight.norm()).sum::<f64>();
        let first_after = (contact * rate).ceil();
        let omega = PI / contact;

        let mut ends = contact;
        let modes = tones.map(|Tone { pole, weight }| {
            // Frequencies near the sampling limit would alias to another pitch.
            let weight = if pole.im < 0.9 * PI * rate { weight.scale(gain) } else { Complex::ZERO };
            // y' = pole y + f with f = omega / 2 sin(omega t), whose integral is one, starting from rest.
            let common = weight * (0.5 * omega) / (pole * pole + omega * omega);
            let sine = -common * pole;
            let cosine = -common * omega;
            let at_end = -cosine - cosine * pole.scale(contact).exp();
            let decay = (at_end.norm() / INAUDIBLE).ln() + MODES as f64 * LN_2 * 0.5;
            ends = f64::max(ends, contact + decay / -pole.re);
            Mode {
                sine,
                cosine,
                free: cosine,
                turn: pole.scale(rate.recip()).exp(),
                after: at_end * pole.scale(first_after / rate - contact).exp(),
            }
        });
        // During the force a voice can be louder than afterwards, so the sum of both parts decides whether it is
        // audible.
        let is_audible = modes.iter().any(|mode| mode.cosine.norm() + mode.sine.norm() > INAUDIBLE);
        is_audible.then(|| Self {
            modes,
            phase: Complex::new(1.0, 0.0),
            phase_turn: Complex::new(0.0, omega / rate).exp(),
            contact: first_after as u32,
            left: (ends.min(f64::from(LONGEST)) * rate) as u32,
            loudness,
        })
    }

    /// The current loudness, from 0 to 1: that of the hit during the contact, and of the ringing afterwards.
    #[must_use]
    pub fn level(&self) -> f32 {
        if self.left == 0 {
            0.0
        } else if self.contact > 0 {
            self.loudness
        } else {
            self.modes.iter().map(|mode| mode.free.norm()).sum::<f64>() as f32
        }
    }
}

impl Iterator for Voice {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        self.left = self.left.checked_sub(1)?;
        let mut sum = 0.0;
        if self.contact > 0 {
            for mode in &mut self.modes {
                sum += mode.sine.re * self.phase.im + mode.cosine.re * self.phase.re - mode.free.re;
                mode.free *= mode.turn;
            }
            self.phase *= self.phase_turn;
            self.contact -= 1;
            if self.contact == 0 {
                for mode in &mut self.modes {
                    mode.free = mode.after;
                }
            }
        } else {
            for mode in &mut self.modes {
                sum += mode.free.re;
                mode.free *= mode.turn;
            }
        }
        Some(sum as f32)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Voice {}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMBRES: [Timbre; 5] = [Timbre::Click, Timbre::Thud, Timbre::Ping, Timbre::Knock, Timbre::Drop];

    fn samples(timbre: Timbre, impulse: f32, radius: f32, rate: u32) -> Vec<f32> {
        Voice::new(timbre, impulse, radius, rate).into_iter().flatten().collect()
    }

    fn ball(timbre: Timbre, impulse: f32) -> Vec<f32> {
        samples(timbre, impulse, REFERENCE_RADIUS, 48_000)
    }

    fn peak(samples: &[f32]) -> f32 {
        samples.iter().fold(0.0, |most, sample| most.max(sample.abs()))
    }

    fn energy(samples: &[f32], rate: u32) -> f64 {
        samples.iter().map(|&sample| f64::from(sample * sample)).sum::<f64>() / f64::from(rate)
    }

    fn power(samples: &[f32], rate: u32, frequency: f64) -> f64 {
        let turn = Complex::new(0.0, TAU * frequency / f64::from(rate)).exp();
        let horner = |sum: Complex, &sample: &f32| sum * turn + Complex::new(f64::from(sample), 0.0);
        (samples.iter().rfold(Complex::ZERO, horner).norm() / f64::from(rate)).powi(2)
    }

    fn spectrum(samples: &[f32], rate: u32) -> impl Iterator<Item = (f64, f64)> {
        (1..1000).map(|n| 20.0 * f64::from(n)).map(move |hertz| (hertz, power(samples, rate, hertz)))
    }

    fn dominant(samples: &[f32], rate: u32) -> f64 {
        spectrum(samples, rate).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
    }

    fn centroid(samples: &[f32], rate: u32) -> f64 {
        let (moment, whole) = spectrum(samples, rate).fold((0.0, 0.0), |(m, w), (f, p)| (m + f * p, w + p));
        moment / whole
    }

    fn lasting(samples: &[f32], share: f32) -> f32 {
        let bar = share * peak(samples);
        samples.iter().rposition(|sample| sample.abs() > bar).unwrap() as f32 / 48_000.0
    }

    #[test]
    fn a_ball_clicks_a_cushion_thuds_and_a_bumper_pings() {
        let [click, thud, ping, _, drop] = TIMBRES.map(|timbre| ball(timbre, 0.17));
        assert!((2000.0..5000.0).contains(&centroid(&click, 48_000)), "{}", centroid(&click, 48_000));
        assert!((80.0..350.0).contains(&centroid(&thud, 48_000)), "{}", centroid(&thud, 48_000));
        assert!((1000.0..3500.0).contains(&centroid(&ping, 48_000)), "{}", centroid(&ping, 48_000));
        // A fall into a pocket is duller and softer than a cushion.
        assert!(centroid(&drop, 48_000) < 0.9 * centroid(&thud, 48_000), "{}", centroid(&drop, 48_000));
        assert!(peak(&drop) < peak(&thud) && peak(&drop) > 0.02, "{} {}", peak(&drop), peak(&thud));
        // Down by 20 dB: a click within a few ms, a thud and a tone within tens.
        assert!((0.5e-3..6e-3).contains(&lasting(&click, 0.1)), "{}", lasting(&click, 0.1));
        assert!((10e-3..100e-3).contains(&lasting(&thud, 0.1)), "{}", lasting(&thud, 0.1));
        assert!((30e-3..200e-3).contains(&lasting(&ping, 0.1)), "{}", lasting(&ping, 0.1));
    }

    #[test]
    fn without_its_ring_a_click_is_the_step_response_of_the_dipole() {
        // Koss and Alfredson's filter, integrated here in small steps, against the closed form.
        let (contact, _, tones) = click(1.0);
        let corner = -tones[0].pole.re;
        let (pole, weight, step) = (tones[0].pole, tones[0].weight, 1e-8);
        let (mut velocity, mut low, mut moving) = (0.0, 0.0, 0.0);
        let mut mode = Complex::ZERO;
        let mut worst: f64 = 0.0;
        for n in 0..200_000 {
            let time = f64::from(n) * step;
            let force = if time < contact { 0.5 * PI / contact * (PI * time / contact).sin() } else { 0.0 };
            let pressure = velocity - 2.0 * corner * moving - 2.0 * corner * corner * low;
            worst = worst.max((pressure - (weight * mode).re).abs());
            moving += pressure * step;
            low += moving * step;
            velocity += force * step;
            mode = mode + (pole * mode + Complex::new(force, 0.0)).scale(step);
        }
        // First-order steps of 10 ns against a time scale of 80 µs.
        assert!(worst < 2e-3, "{worst}");
    }

    #[test]
    fn the_closed_form_solves_the_equation_of_motion() {
        // A voice at a very high rate against the same modes stepped individually.
        let (rate, impulse) = (4_000_000, 0.17);
        let timbres = [
            (Timbre::Click, click(1.0)),
            (Timbre::Thud, thud(1.0)),
            (Timbre::Ping, ping(1.0)),
            (Timbre::Knock, knock(1.0)),
            (Timbre::Drop, drop(1.0)),
        ];
        for (timbre, tones) in timbres {
            let (contact, level, tones) = tones;
            let gain = f64::from(loudness(impulse)) * level / tones.iter().map(|tone| tone.weight.norm()).sum::<f64>();
            let step = f64::from(rate).recip();
            let mut modes = [Complex::ZERO; MODES];
            for (n, sample) in samples(timbre, impulse, REFERENCE_RADIUS, rate).into_iter().take(40_000).enumerate() {
                let sum: f64 = modes.iter().zip(&tones).map(|(mode, tone)| gain * (tone.weight * *mode).re).sum();
                assert!((sum - f64::from(sample)).abs() < 2e-3, "{timbre:?} {n}: {sum} {sample}");
                let time = (n as f64 + 0.5) * step;
                let force = if time < contact { 0.5 * PI / contact * (PI * time / contact).sin() } else { 0.0 };
                for (mode, tone) in modes.iter_mut().zip(&tones) {
                    *mode = *mode * tone.pole.scale(step).exp() + Complex::new(force * step, 0.0);
                }
            }
        }
    }

    #[test]
    fn a_harder_hit_is_louder_and_brighter() {
        for timbre in TIMBRES {
            let hits = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0].map(|impulse| ball(timbre, impulse));
            assert!(hits.windows(2).all(|pair| energy(&pair[0], 1) < energy(&pair[1], 1)), "{timbre:?}");
            assert!(hits.windows(2).all(|pair| centroid(&pair[0], 48_000) < centroid(&pair[1], 48_000)), "{timbre:?}");
        }
    }

    #[test]
    fn a_landing_sounds_lower_than_a_hit_of_two_balls() {
        for impulse in [0.02, 0.1, 0.3, 1.0] {
            let [knock, click] = [Timbre::Knock, Timbre::Click].map(|timbre| centroid(&ball(timbre, impulse), 48_000));
            assert!(knock < 0.5 * click, "{impulse} N s: {knock} Hz, {click} Hz");
        }
    }

    #[test]
    fn a_larger_disc_sounds_lower() {
        for timbre in TIMBRES {
            let pitches = [0.001, 0.01, REFERENCE_RADIUS, 0.1, 0.5, 2.0, 10.0]
                .map(|radius| centroid(&samples(timbre, 0.3, radius, 48_000), 48_000));
            assert!(pitches.windows(2).all(|pair| pair[0] > pair[1]), "{timbre:?}: {pitches:?}");
            assert!(pitches.iter().all(|pitch| (40.0..12_000.0).contains(pitch)), "{timbre:?}: {pitches:?}");
        }
    }

    #[test]
    fn a_ball_of_the_size_of_billiard_balls_is_true_to_scale() {
        assert_eq!(apparent_size(REFERENCE_RADIUS), 1.0);
        // For a pool ball and a snooker ball, the limits change less than a hundredth.
        assert!((apparent_size(0.02625) / (0.02625 / REFERENCE_RADIUS) - 1.0).abs() < 0.01);
    }

    #[test]
    fn every_rate_gives_the_same_sound() {
        for timbre in TIMBRES {
            for radius in [0.01, REFERENCE_RADIUS, 0.5] {
                let [cd, usual, fine] = [44_100, 48_000, 96_000].map(|rate| (samples(timbre, 0.5, radius, rate), rate));
                for (coarse, fine) in usual.0.iter().zip(fine.0.iter().step_by(2)) {
                    assert!((coarse - fine).abs() < 1e-5, "{timbre:?} {radius}: {coarse} {fine}");
                }
                for (other, rate) in [&cd, &fine] {
                    let ratio = energy(other, *rate) / energy(&usual.0, usual.1);
                    assert!((ratio - 1.0).abs() < 0.01, "{timbre:?} {radius} {rate}: {ratio}");
                    let shift = dominant(other, *rate) - dominant(&usual.0, usual.1);
                    assert!(shift.abs() <= 20.0, "{timbre:?} {radius} {rate}: {shift}");
                    let times = [other.len() as f32 / *rate as f32, usual.0.len() as f32 / usual.1 as f32];
                    assert!((times[0] - times[1]).abs() < 1e-4, "{times:?}");
                }
            }
        }
    }

    #[test]
    fn every_voice_starts_and_ends_softly_within_its_time_and_none_is_above_one() {
        for timbre in TIMBRES {
            for radius in [1e-6, 0.001, 0.01, REFERENCE_RADIUS, 0.1, 0.5, 2.0, 10.0, 1e6] {
                for impulse in [1e-4, 0.01, 0.1, 1.0, 10.0, 100.0, f32::MAX] {
                    let sound = samples(timbre, impulse, radius, 48_000);
                    let what = format!("{timbre:?} {radius} {impulse}: {} {}", peak(&sound), sound.len());
                    assert!(sound.len() <= (LONGEST * 48_000.0) as usize, "{what}");
                    assert!(peak(&sound) <= 1.0, "{what}");
                    assert!(sound.first().is_none_or(|first| first.abs() < 1e-6), "{what}");
                    assert!(sound.last().is_none_or(|last| last.abs() < 5e-4), "{what}");
                }
            }
        }
    }

    #[test]
    fn the_level_covers_what_is_still_to_come() {
        for timbre in TIMBRES {
            let mut voice = Voice::new(timbre, 0.5, REFERENCE_RADIUS, 48_000).unwrap();
            while voice.len() > 0 {
                let (level, rest) = (voice.level(), voice.clone().map(f32::abs).fold(0.0, f32::max));
                assert!(level + 1e-6 >= rest, "{timbre:?} {}: {level} {rest}", voice.len());
                voice.nth(97);
            }
            assert_eq!(voice.level(), 0.0);
        }
    }

    #[test]
    fn bad_numbers_are_silence() {
        for timbre in TIMBRES {
            assert!(Voice::new(timbre, 0.5, 0.03, 48_000).is_some());
            for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert!(Voice::new(timbre, bad, 0.03, 48_000).is_none());
                assert!(Voice::new(timbre, 0.5, bad, 48_000).is_none());
            }
            assert!(Voice::new(timbre, 0.5, 0.03, 0).is_none());
            for (impulse, radius) in [(f32::MIN_POSITIVE, 1.0), (f32::MAX, f32::MIN_POSITIVE), (1.0, f32::MAX)] {
                assert!(samples(timbre, impulse, radius, 48_000).iter().all(|sample| sample.is_finite()));
            }
        }
    }
}
