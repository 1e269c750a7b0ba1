//! Mixes voices into a stereo signal on the audio thread, and limits it to prevent clipping.
//!
//! Strikes arrive through a queue of fixed length, the volume through an atomic. After [`Mixer::new`] nothing here
//! allocates or blocks. The signal is processed in blocks. The limiter delays one block, looks at the peak of the next
//! one, and moves its gain linearly between two values that both blocks tolerate. So the output never exceeds
//! [`CEILING`], and the gain never jumps.

use std::{
    f64::consts::FRAC_PI_4,
    mem,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
};

use super::voice::{Timbre, Voice};

/// Frames in a block, 1.3 ms at 48 kHz. The limiter looks one block ahead, which delays the output by as much.
pub const BLOCK: usize = 64;

/// The most simultaneous voices. A further one replaces the quietest.
pub const VOICES: usize = 64;

/// The most strikes waiting for the mixer. Strikes sent to a full queue are lost.
pub const QUEUE: usize = 1024;

/// The largest absolute sample in the output.
pub const CEILING: f32 = 0.95;

/// The largest delay of a strike, seconds. Strikes further ahead are not heard.
pub const FURTHEST: f32 = 2.0;

/// The time in which the limiter recovers to 1/e of its reduction, seconds.
const RELEASE: f64 = 0.08;

/// The time in which the volume approaches its target to 1/e, seconds: fast for a hand, slow for an ear.
const GLIDE: f64 = 0.015;

type Block = [[f32; 2]; BLOCK];

const SILENCE: Block = [[0.0; 2]; BLOCK];

/// An audible hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// The kind of hit.
    pub timbre: Timbre,
    /// The impulse, N s.
    pub impulse: f32,
    /// The radius of the disc, or of the smaller of two, metres.
    pub radius: f32,
    /// The stereo position: -1 is left, 0 the middle, 1 right. Other values are clamped.
    pub pan: f32,
    /// The time: seconds after the start of the first block mixed after sending, to the nearest sample. A negative
    /// value means immediately. [`FURTHEST`] is the limit.
    pub delay: f32,
}

/// The sending end of the queue. A clone sends to the same mixer.
#[derive(Clone, Debug)]
pub struct Striker {
    queue: SyncSender<Strike>,
    volume: Arc<AtomicU32>,
}

impl Striker {
    /// Plays a hit. Never blocks: if the queue is full or the mixer is gone, the hit is lost.
    pub fn strike(&self, strike: Strike) {
        // Both failures mean silence, and the caller can do nothing about them.
        let _ = self.queue.try_send(strike);
    }

    /// Sets the volume, from 0 to 1 (the default). Other values are clamped, and NaN is silence. The mixer changes
    /// gradually within some hundredths of a second.
    pub fn set_volume(&self, volume: f32) {
        let volume = if volume.is_nan() { 0.0 } else { volume.clamp(0.0, 1.0) };
        self.volume.store(volume.to_bits(), Ordering::Relaxed);
    }

    /// The last volume set, from 0 to 1.
    #[must_use]
    pub fn volume(&self) -> f32 {
        f32::from_bits(self.volume.load(Ordering::Relaxed))
    }
}

/// The receiving end of the queue.
#[derive(Debug)]
pub struct Inbox {
    queue: Receiver<Strike>,
    volume: Arc<AtomicU32>,
}

impl Inbox {
    fn clear(&self) {
        // Limited to the capacity, in case a sender never stops.
        self.queue.try_iter().take(QUEUE).for_each(drop);
    }
}

/// A queue of strikes without a mixer. It holds at most [`QUEUE`] of them.
#[must_use]
pub fn queue() -> (Striker, Inbox) {
    let (sender, receiver) = sync_channel(QUEUE);
    let volume = Arc::new(AtomicU32::new(1.0_f32.to_bits()));
    (Striker { queue: sender, volume: Arc::clone(&volume) }, Inbox { queue: receiver, volume })
}

/// A voice with its stereo position and its remaining delay.
#[derive(Debug)]
struct Playing {
    voice: Voice,
    /// Frames until it starts.
    wait: usize,
    /// Gains of the left and the right channel.
    pan: [f32; 2],
}

impl Playing {
    fn new(strike: Strike, rate: u32) -> Option<Self> {
        let Strike { timbre, impulse, radius, pan, delay } = strike;
        if !(delay <= FURTHEST && pan.is_finite()) {
            return None;
        }
        let voice = Voice::new(timbre, impulse, radius, rate)?;
        // The squares of sine and cosine sum to one, so the loudness does not depend on the position.
        let (right, left) = (f64::from(pan.clamp(-1.0, 1.0) + 1.0) * FRAC_PI_4).sin_cos();
        let wait = (delay.max(0.0) * rate as f32).round() as usize;
        Some(Self { voice, wait, pan: [left as f32, right as f32] })
    }

    /// Adds its next block.
    fn add_to(&mut self, block: &mut Block) {
        let begin = self.wait.min(BLOCK);
        self.wait -= begin;
        let [left, right] = self.pan;
        for (frame, sample) in block[begin..].iter_mut().zip(&mut self.voice) {
            frame[0] += left * sample;
            frame[1] += right * sample;
        }
    }

    /// Adds its next block as the last one, fading out.
    fn fade_into(mut self, block: &mut Block) {
        let mut last = SILENCE;
        self.add_to(&mut last);
        for (n, (frame, last)) in block.iter_mut().zip(last).enumerate() {
            let gain = 1.0 - n as f32 / BLOCK as f32;
            frame[0] += gain * last[0];
            frame[1] += gain * last[1];
        }
    }
}

/// Turns strikes into sound.
#[derive(Debug)]
pub struct Mixer {
    inbox: Inbox,
    rate: u32,
    voices: Vec<Playing>,
    volume: f32,
    glide: f32,
    limiter: Limiter,
    ready: Block,
    /// The number of frames of `ready` already delivered.
    taken: usize,
}

impl Mixer {
    /// A mixer with a sampling `rate` in Hz that reads `inbox`. Strikes sent earlier are discarded.
    #[must_use]
    pub fn new(rate: u32, inbox: Inbox) -> Self {
        inbox.clear();
        Self {
            volume: f32::from_bits(inbox.volume.load(Ordering::Relaxed)),
            inbox,
            rate,
            voices: Vec::with_capacity(VOICES),
            glide: share_per(1, rate, GLIDE),
            limiter: Limiter::new(rate),
            ready: SILENCE,
            taken: BLOCK,
        }
    }

    /// The sampling rate, Hz.
    #[must_use]
    pub fn rate(&self) -> u32 {
        self.rate
    }

    /// The number of voices that play or wait, at most [`VOICES`].
    #[must_use]
    pub fn voices(&self) -> usize {
        self.voices.len()
    }

    /// Discards the strikes sent since the last [`fill`](Self::fill). Use it after a long pause, when they would all
    /// play at once.
    pub fn skip(&mut self) {
        self.inbox.clear();
    }

    /// Fills `out` with the next samples, left and right interleaved.
    ///
    /// Any length works, and the lengths do not affect the sound. Strikes are read once per block, so they are at most
    /// [`BLOCK`] frames late.
    pub fn fill(&mut self, out: &mut [f32]) {
        for frame in out.chunks_mut(2) {
            if self.taken == BLOCK {
                let mixed = self.mix();
                self.ready = self.limiter.pass(&mixed);
                self.taken = 0;
            }
            frame.copy_from_slice(&self.ready[self.taken][..frame.len()]);
            self.taken += 1;
        }
    }

    fn mix(&mut self) -> Block {
        let mut block = SILENCE;
        // Limited to the capacity, in case a sender never stops.
        for _ in 0..QUEUE {
            let Ok(strike) = self.inbox.queue.try_recv() else { break };
            if let Some(playing) = Playing::new(strike, self.rate) {
                self.admit(playing, &mut block);
            }
        }
        for playing in &mut self.voices {
            playing.add_to(&mut block);
        }
        self.voices.retain(|playing| playing.voice.len() > 0);

        let volume = f32::from_bits(self.inbox.volume.load(Ordering::Relaxed));
        for frame in &mut block {
            self.volume += self.glide * (volume - self.volume);
            frame[0] *= self.volume;
            frame[1] *= self.volume;
        }
        // Ever smaller steps would never arrive, and would reach the slow denormal numbers.
        if (volume - self.volume).abs() < 1e-5 {
            self.volume = volume;
        }
        block
    }

    fn admit(&mut self, playing: Playing, block: &mut Block) {
        if self.voices.len() < VOICES {
            self.voices.push(playing);
            return;
        }
        let level = |playing: &Playing| playing.voice.level();
        let quietest = self.voices.iter_mut().min_by(|a, b| level(a).total_cmp(&level(b)));
        if let Some(quietest) = quietest.filter(|quietest| level(quietest) < level(&playing)) {
            mem::replace(quietest, playing).fade_into(block);
        }
    }
}

/// The fraction of a change completed in `samples` at `rate` Hz if 1/e of it is left after `time` seconds.
fn share_per(samples: usize, rate: u32, time: f64) -> f32 {
    (1.0 - (-(samples as f64) / (f64::from(rate.max(1)) * time)).exp()) as f32
}

/// Delays a block and reduces its gain before it can exceed [`CEILING`].
#[derive(Debug)]
struct Limiter {
    held: Block,
    /// The largest gain for the delayed block.
    bearable: f32,
    /// The gain at the end of the previous block.
    gain: f32,
    release: f32,
}

impl Limiter {
    fn new(rate: u32) -> Self {
        Self { held: SILENCE, bearable: 1.0, gain: 1.0, release: share_per(BLOCK, rate, RELEASE) }
    }

    /// Takes the next block and returns the previous one.
    fn pass(&mut self, next: &Block) -> Block {
        let peak = next.as_flattened().iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
        let bearable = if peak > CEILING { CEILING / peak } else { 1.0 };
        let mut out = mem::replace(&mut self.held, *next);

        let released = self.gain + self.release * (1.0 - self.gain);
        let released = if released > 0.9999 { 1.0 } else { released };
        let (from, to) = (self.gain, released.min(self.bearable).min(bearable));
        for (n, frame) in out.iter_mut().enumerate() {
            let gain = from + (to - from) * (n as f32 / BLOCK as f32);
            // The gain is small enough except for rounding.
            *frame = frame.map(|sample| (sample * gain).clamp(-CEILING, CEILING));
        }
        self.gain = to;
        self.bearable = bearable;
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::voice::REFERENCE_RADIUS;

    const RATE: u32 = 48_000;

    fn mixer() -> (Mixer, Striker) {
        let (striker, inbox) = queue();
        (Mixer::new(RATE, inbox), striker)
    }

    fn click(impulse: f32) -> Strike {
        Strike { timbre: Timbre::Click, impulse, radius: REFERENCE_RADIUS, pan: 0.0, delay: 0.0 }
    }

    fn frames(mixer: &mut Mixer, count: usize) -> Vec<[f32; 2]> {
        let mut out = vec![[f32::NAN; 2]; count];
        mixer.fill(out.as_flattened_mut());
        out
    }

    fn peak(frames: &[[f32; 2]]) -> f32 {
        frames.as_flattened().iter().fold(0.0, |most, sample| most.max(sample.abs()))
    }

    fn onset(frames: &[[f32; 2]]) -> usize {
        // The first sample of a voice is zero, its second is not.
        frames.iter().position(|frame| frame[0] != 0.0).unwrap() - 1
    }

    #[test]
    fn silence_gives_exact_silence() {
        let (mut mixer, striker) = mixer();
        assert!(frames(&mut mixer, 1000).iter().all(|frame| *frame == [0.0; 2]));
        striker.strike(click(1.0));
        assert!(peak(&frames(&mut mixer, 1000)) > 0.1);
        frames(&mut mixer, 24_000);
        assert!(frames(&mut mixer, 1000).iter().all(|frame| *frame == [0.0; 2]));
    }

    #[test]
    fn ten_thousand_strikes_at_once_never_pass_the_ceiling() {
        let (mut mixer, striker) = mixer();
        let mut loudest: f32 = 0.0;
        for round in 0..20 {
            for n in 0..500_u16 {
                let timbre = [Timbre::Click, Timbre::Thud, Timbre::Ping][usize::from(n) % 3];
                let pan = f32::from(n) / 250.0 - 1.0;
                striker.strike(Strike { timbre, pan, delay: f32::from(n % 7) * 1e-3, ..click(100.0) });
            }
            let output = frames(&mut mixer, 700 + round);
            assert!(output.as_flattened().iter().all(|sample| sample.abs() <= CEILING));
            assert!(mixer.voices() <= VOICES);
            loudest = loudest.max(peak(&output));
        }
        assert!(loudest > 0.8 * CEILING, "{loudest}");
    }

    #[test]
    fn a_queue_that_nobody_reads_is_bounded_and_old_strikes_are_not_heard() {
        let (striker, inbox) = queue();
        for _ in 0..10_000 {
            striker.strike(click(1.0));
        }
        assert_eq!(inbox.queue.try_iter().count(), QUEUE);

        striker.strike(click(1.0));
        let mut mixer = Mixer::new(RATE, inbox);
        assert_eq!(peak(&frames(&mut mixer, 1000)), 0.0);
        striker.strike(click(1.0));
        mixer.skip();
        assert_eq!(peak(&frames(&mut mixer, 1000)), 0.0);
        drop(mixer);
        striker.strike(click(1.0));
    }

    #[test]
    fn the_output_is_louder_the_harder_the_hit() {
        let peaks = [0.01, 0.1, 0.5, 2.0].map(|impulse| {
            let (mut mixer, striker) = mixer();
            striker.strike(click(impulse));
            peak(&frames(&mut mixer, 4800))
        });
        assert!(peaks[0] > 0.0 && peaks.windows(2).all(|pair| pair[0] < pair[1]), "{peaks:?}");
    }

    #[test]
    fn bad_numbers_are_silence_and_do_no_harm() {
        let (mut mixer, striker) = mixer();
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            striker.strike(click(bad));
            striker.strike(Strike { radius: bad, ..click(1.0) });
            striker.strike(Strike { pan: bad, ..click(1.0) });
        }
        striker.strike(Strike { delay: f32::NAN, ..click(1.0) });
        striker.strike(Strike { delay: f32::INFINITY, ..click(1.0) });
        striker.strike(click(0.0));
        striker.strike(click(-1.0));
        assert!(frames(&mut mixer, 4800).iter().all(|frame| *frame == [0.0; 2]));
        assert_eq!(mixer.voices(), 0);
        striker.set_volume(f32::NAN);
        assert_eq!(striker.volume(), 0.0);
        striker.set_volume(1.0);
        striker.strike(Strike { delay: -1.0, pan: 9.0, ..click(1.0) });
        assert!(peak(&frames(&mut mixer, 4800)) > 0.1);
    }

    #[test]
    fn a_delay_is_kept_to_the_sample() {
        for delay in [0.0, 0.7 / 48_000.0, 1.0 / 48_000.0, 63.0 / 48_000.0, 64.0 / 48_000.0, 0.0123, 0.25] {
            let (mut mixer, striker) = mixer();
            striker.strike(Strike { delay, ..click(1.0) });
            let expected = BLOCK + (delay * 48_000.0).round() as usize;
            assert_eq!(onset(&frames(&mut mixer, 20_000)), expected, "{delay}");
        }
    }

    #[test]
    fn the_pieces_do_not_matter() {
        let pieces = |lengths: &[usize]| {
            let (mut mixer, striker) = mixer();
            striker.strike(Strike { timbre: Timbre::Thud, delay: 0.01, pan: 0.3, ..click(1.0) });
            lengths.iter().cycle().flat_map(|&count| frames(&mut mixer, count)).take(9000).collect::<Vec<_>>()
        };
        assert_eq!(pieces(&[9000]), pieces(&[1, 7, 500, 64, 63]));
    }

    #[test]
    fn a_quiet_signal_passes_untouched_but_one_block_late() {
        let (mut mixer, striker) = mixer();
        striker.strike(Strike { pan: -1.0, ..click(0.3) });
        let output = frames(&mut mixer, BLOCK + 400);
        let voice: Vec<_> = Voice::new(Timbre::Click, 0.3, REFERENCE_RADIUS, RATE).unwrap().take(400).collect();
        assert!(output[..BLOCK].iter().all(|frame| *frame == [0.0; 2]));
        assert!(output[BLOCK..].iter().map(|frame| frame[0]).eq(voice));
        assert!(output.iter().all(|frame| frame[1] == 0.0));
    }

    #[test]
    fn wherever_it_is_a_hit_has_the_same_power() {
        let power = |pan| {
            let (mut mixer, striker) = mixer();
            striker.strike(Strike { pan, ..click(0.3) });
            frames(&mut mixer, 2000).as_flattened().iter().map(|sample| sample * sample).sum::<f32>()
        };
        for pan in [-1.0, -0.4, 0.5, 1.0] {
            assert!((power(pan) / power(0.0) - 1.0).abs() < 1e-4, "{pan}");
        }
    }

    #[test]
    fn the_limiter_does_not_jump_and_lets_go() {
        let mut limiter = Limiter::new(RATE);
        let constant = |level: f32| [[level; 2]; BLOCK];
        let mut out = Vec::new();
        // A loud section between quiet ones, each constant, so that the output shows the gain.
        for n in 0..1200 {
            out.extend(limiter.pass(&constant(if (10..20).contains(&n) { 8.0 } else { 0.5 })));
        }
        let out = out.split_off(BLOCK);
        let loud = 10 * BLOCK..20 * BLOCK;
        assert!(peak(&out) <= CEILING);
        for (n, pair) in out.windows(2).enumerate() {
            // The two edges belong to the signal.
            let edge = n + 1 == loud.start || n + 1 == loud.end;
            assert!(edge || (pair[1][0] - pair[0][0]).abs() < 0.5 / BLOCK as f32, "{n}: {pair:?}");
        }
        assert!(out[loud.start][0] > 0.9 * CEILING);
        // The gain is already reduced when the loud section begins.
        assert!(out[loud.start - 1][0] < 0.08);
        let time =
            |share: f32| out[loud.end..].iter().position(|frame| frame[0] > 0.5 * share).unwrap() as f32 / 48_000.0;
        assert!((0.04..0.12).contains(&time(0.63)), "{}", time(0.63));
        assert_eq!(out.last(), Some(&[0.5; 2]));
    }

    #[test]
    fn a_change_of_volume_makes_no_step() {
        let (mut mixer, striker) = mixer();
        let ring = Strike { timbre: Timbre::Ping, ..click(1.0) };
        let steepest = |frames: &[[f32; 2]]| {
            frames.windows(2).fold(0.0_f32, |most, pair| most.max((pair[1][0] - pair[0][0]).abs()))
        };
        striker.strike(ring);
        let steady = steepest(&frames(&mut mixer, 4800));
        let (mut mixer, striker) = super::tests::mixer();
        striker.strike(ring);
        let mut output = frames(&mut mixer, 960);
        striker.set_volume(0.0);
        assert_eq!(striker.volume(), 0.0);
        output.extend(frames(&mut mixer, 960));
        striker.set_volume(1.0);
        output.extend(frames(&mut mixer, 2880));
        assert!(steepest(&output) <= steady, "{} {steady}", steepest(&output));

        striker.set_volume(0.0);
        frames(&mut mixer, 48_000);
        striker.strike(ring);
        assert_eq!(peak(&frames(&mut mixer, 4800)), 0.0);
    }

    #[test]
    fn the_quietest_voice_gives_way_softly() {
        let (mut mixer, striker) = mixer();
        let ring = |impulse| Strike { timbre: Timbre::Ping, pan: -1.0, ..click(impulse) };
        for _ in 1..VOICES {
            striker.strike(Strike { pan: 1.0, delay: 1.0, ..ring(1.0) });
        }
        striker.strike(ring(0.4));
        frames(&mut mixer, 640);
        assert_eq!(mixer.voices(), VOICES);
        striker.strike(Strike { pan: 1.0, delay: 1.0, ..ring(0.01) });
        let unmoved = frames(&mut mixer, 640);
        assert!(peak(&unmoved[2 * BLOCK..]) > 0.05);
        striker.strike(Strike { pan: 1.0, delay: 1.0, ..ring(1.0) });
        let after = frames(&mut mixer, 640);
        assert_eq!(mixer.voices(), VOICES);
        assert_eq!(peak(&after[2 * BLOCK..]), 0.0);
        let step = |a: &[[f32; 2]]| a.windows(2).fold(0.0_f32, |most, pair| most.max((pair[1][0] - pair[0][0]).abs()));
        let seam: Vec<_> = unmoved.iter().chain(&after).copied().collect();
        let (steady, seam) = (step(&unmoved[320..]), step(&seam[320..]));
        assert!(seam <= 1.1 * steady, "{seam} {steady}");
    }

    #[test]
    fn every_voice_ends() {
        let (mut mixer, striker) = mixer();
        for timbre in [Timbre::Click, Timbre::Thud, Timbre::Ping] {
            for radius in [0.001, 0.03, 10.0] {
                striker.strike(Strike { timbre, radius, ..click(1e9) });
            }
        }
        frames(&mut mixer, 64);
        assert_eq!(mixer.voices(), 9);
        frames(&mut mixer, (0.4 * 48_000.0) as usize);
        assert_eq!(mixer.voices(), 0);
    }
}
