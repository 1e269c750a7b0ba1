//! Output to a `PulseAudio` server, or to `PipeWire` in its place, over the server's socket.
//!
//! The server requests samples as it needs them. One thread waits for its requests and answers each from the mixer. The
//! crate's `Client` is not used, because it ignores a stream that the server ends, and outlives its handle.

use std::{
    env,
    ffi::CString,
    fs, io,
    io::{BufReader, Read, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use pulseaudio::protocol::{
    AuthParams, AuthReply, ChannelMap, ChannelVolume, Command, CommandReply, CreatePlaybackStreamReply, MAX_VERSION,
    PlaybackStreamParams, Prop, Props, ProtocolError, SampleFormat, SampleSpec, SetClientNameReply, read_descriptor,
    read_reply_message,
    stream::{BufferAttr, StreamFlags},
    write_command_message, write_memblock,
};

use super::{Inbox, Mixer, NO_THREAD, Reason, Report, Status, Tap, mark};

/// The preferred rate. The server may substitute its device's rate to avoid a conversion.
const RATE: u32 = 48_000;

/// The requested latency, milliseconds: below one and a half frames at 60 Hz.
const AHEAD: u32 = 25;

/// The requested minimum request size, milliseconds.
const REQUEST: u32 = 5;

/// The longest wait for each answer during the handshake.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes of a frame: two samples of four bytes.
const FRAME: usize = 8;

/// The most frames per message.
const MESSAGE: usize = 2048;

/// The length of a cookie. A server disconnects on any other length.
const COOKIE: usize = 256;

const NO_SERVER: &str = mark(
    "no PulseAudio or PipeWire server answers ({}); start one (`systemctl --user start pipewire-pulse`, or `pulseaudio --start`), or set PULSE_SERVER",
);
const ENDED: &str = mark("the sound server ended this program's stream; turn sound off and on again");
const WENT_AWAY: &str =
    mark("the connection to the sound server was lost ({}); turn sound off and on again once the server is back");

/// Plays on a separate thread until dropped.
#[derive(Debug)]
pub(super) struct Player {
    line: Arc<Mutex<Line>>,
}

/// The connection, shared by both threads.
#[derive(Debug, Default)]
struct Line {
    hung_up: bool,
    socket: Option<UnixStream>,
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Player {
    pub(super) fn open(name: &str, inbox: Inbox, report: Report) -> Self {
        let player = Self { line: Arc::default() };
        let line = Arc::clone(&player.line);
        let name = CString::new(name.replace('\0', "")).unwrap_or_default();
        let thread = {
            let report = report.clone();
            thread::Builder::new().name("sound".into()).spawn(move || {
                let why = match Stream::open(name, &line) {
                    Ok(stream) => stream.play(inbox, &report),
                    Err(why) => Reason::new(NO_SERVER, why),
                };
                if !lock(&line).hung_up {
                    report.set(Status::Failed(why));
                }
            })
        };
        if let Err(why) = thread {
            report.set(Status::Failed(Reason::new(NO_THREAD, why)));
        }
        player
    }
}

impl Drop for Player {
    /// Disconnects. The thread then ends, whatever it is waiting for.
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        line.hung_up = true;
        if let Some(socket) = line.socket.take() {
            // If the server disconnected first, there is nothing to do.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// A stream that the server has accepted.
struct Stream {
    server: BufReader<UnixStream>,
    version: u16,
    accepted: CreatePlaybackStreamReply,
}

impl Stream {
    fn open(name: CString, line: &Mutex<Line>) -> Result<Self, String> {
        let socket = connect().map_err(|error| error.to_string())?;
        {
            let mut line = lock(line);
            if line.hung_up {
                return Err("no longer wanted".into());
            }
            line.socket = socket.try_clone().ok();
        }
        Self::introduce(socket, name).map_err(in_words)
    }

    fn introduce(socket: UnixStream, name: CString) -> Result<Self, ProtocolError> {
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let mut server = BufReader::new(socket);

        // Servers that authenticate by user name accept any cookie, but require one.
        let cookie = pulseaudio::cookie_path_from_env().and_then(|path| fs::read(path).ok());
        let cookie = cookie.filter(|cookie| cookie.len() == COOKIE).unwrap_or_else(|| vec![0; COOKIE]);
        let auth = AuthParams { version: MAX_VERSION, supports_shm: false, supports_memfd: false, cookie };
        let reply: AuthReply = ask(&mut server, 0, &Command::Auth(auth), MAX_VERSION)?;
        let version = reply.version.min(MAX_VERSION);

        let mut client = Props::new();
        client.set(Prop::ApplicationName, &name);
        let _: SetClientNameReply = ask(&mut server, 1, &Command::SetClientName(client), version)?;

        let mut media = Props::new();
        media.set(Prop::MediaName, &name);
        media.set(Prop::MediaRole, c"game");
        let bytes = |milliseconds| RATE / 1000 * milliseconds * FRAME as u32;
        let params = PlaybackStreamParams {
            sample_spec: SampleSpec { format: SampleFormat::Float32Le, channels: 2, sample_rate: RATE },
            channel_map: ChannelMap::stereo(),
            cvolume: Some(ChannelVolume::norm(2)),
            buffer_attr: BufferAttr {
                target_length: bytes(AHEAD),
                minimum_request_length: bytes(REQUEST),
                ..BufferAttr::default()
            },
            flags: StreamFlags { adjust_latency: true, fix_rate: true, ..StreamFlags::default() },
            props: media,
            ..PlaybackStreamParams::default()
        };
        let accepted = ask(&mut server, 2, &Command::CreatePlaybackStream(params), version)?;
        // From now on the server sends requests when needed, which may be never while its device sleeps.
        server.get_ref().set_read_timeout(None)?;
        Ok(Self { server, version, accepted })
    }

    /// Plays until the connection ends. Returns the reason and a remedy.
    fn play(mut self, inbox: Inbox, report: &Report) -> Reason {
        let rate = self.accepted.sample_spec.sample_rate;
        let buffered = f64::from(self.accepted.buffer_attr.target_length) / (f64::from(rate.max(1)) * FRAME as f64);
        let latency = Duration::from_secs_f64(buffered) + Duration::from_micros(self.accepted.stream_latency);
        let tap = Tap::new(Mixer::new(rate, inbox));
        report.set(Status::Playing { rate, latency });
        match self.serve(tap) {
            Ok(()) => Reason::new(ENDED, ""),
            Err(error) => Reason::new(WENT_AWAY, in_words(error)),
        }
    }

    /// Sends requested samples until the server ends the stream.
    fn serve(&mut self, mut tap: Tap) -> Result<(), ProtocolError> {
        let channel = self.accepted.channel;
        let mut samples = vec![0.0; 2 * MESSAGE];
        let mut message = Vec::with_capacity(FRAME * MESSAGE + 64);
        let mut payload = Vec::new();
        // The server counts bytes and may request part of a frame. The rest is sent later.
        let mut owed = self.accepted.requested_bytes as usize;
        loop {
            while owed >= FRAME {
                let samples = &mut samples[..2 * MESSAGE.min(owed / FRAME)];
                tap.fill(samples);
                owed -= 4 * samples.len();
                payload.clear();
                payload.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
                message.clear();
                write_memblock(&mut message, channel, &payload, 0)?;
                self.server.get_mut().write_all(&message)?;
            }

            let length = read_descriptor(&mut self.server)?.length;
            payload.clear();
            (&mut self.server).take(u64::from(length)).read_to_end(&mut payload)?;
            match Command::read_tag_prefixed(&mut payload.as_slice(), self.version) {
                Ok((_, Command::Request(request))) if request.channel == channel => owed += request.length as usize,
                Ok((_, Command::PlaybackStreamKilled(killed))) if killed == channel => return Ok(()),
                Ok((_, Command::Error(error))) => return Err(ProtocolError::ServerError(error)),
                Ok((_, Command::Underflow(_))) => tracing::debug!("sound fell behind for a moment"),
                // Other messages were not requested, and some are unknown to the crate.
                _ => {}
            }
        }
    }
}

fn in_words(error: ProtocolError) -> String {
    match error {
        ProtocolError::Io(error) if error.kind() == io::ErrorKind::WouldBlock => mark("it does not reply").into(),
        ProtocolError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            mark("it closed the connection").into()
        }
        other => other.to_string(),
    }
}

fn ask<R: CommandReply>(
    server: &mut BufReader<UnixStream>,
    number: u32,
    command: &Command,
    version: u16,
) -> Result<R, ProtocolError> {
    let mut message = Vec::new();
    write_command_message(&mut message, number, command, version)?;
    server.get_mut().write_all(&message)?;
    Ok(read_reply_message(server, version)?.1)
}

fn connect() -> io::Result<UnixStream> {
    if let Some(path) = pulseaudio::socket_path_from_env() {
        return UnixStream::connect(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())));
    }
    let why = match env::var("PULSE_SERVER") {
        Ok(server) => format!("there is no local socket at PULSE_SERVER={server}"),
        Err(_) => mark("there is no socket pulse/native in XDG_RUNTIME_DIR").into(),
    };
    Err(io::Error::new(io::ErrorKind::NotFound, why))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use pulseaudio::protocol::{
        Request, StreamSuspendedParams, read_command_message, write_ack_message, write_reply_message,
    };

    use super::*;
    use crate::sound::mixer;

    const CHANNEL: u32 = 7;

    /// The server's end of a conversation: accepts a stream, then runs `and_then`. Returns the status and the message
    /// of our end.
    fn conversation(and_then: impl FnOnce(&mut BufReader<UnixStream>) + Send + 'static) -> (Status, String) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = thread::spawn(move || {
            let mut socket = BufReader::new(theirs);
            let (number, auth) = read_command_message(&mut socket, MAX_VERSION).unwrap();
            assert!(matches!(auth, Command::Auth(AuthParams { cookie, .. }) if cookie.len() == COOKIE));
            let reply = AuthReply { version: MAX_VERSION, use_memfd: false, use_shm: false };
            write_reply_message(socket.get_mut(), number, &reply, MAX_VERSION).unwrap();
            let (number, _) = read_command_message(&mut socket, MAX_VERSION).unwrap();
            write_reply_message(socket.get_mut(), number, &SetClientNameReply { client_id: 1 }, MAX_VERSION).unwrap();
            let (number, wanted) = read_command_message(&mut socket, MAX_VERSION).unwrap();
            let Command::CreatePlaybackStream(wanted) = wanted else { panic!("{wanted:?}") };
            let sample_spec = SampleSpec { sample_rate: 44_100, ..wanted.sample_spec };
            let buffer_attr = BufferAttr { target_length: 3528, ..wanted.buffer_attr };
            let reply = CreatePlaybackStreamReply {
                channel: CHANNEL,
                requested_bytes: 3528,
                buffer_attr,
                sample_spec,
                channel_map: wanted.channel_map,
                ..CreatePlaybackStreamReply::default()
            };
            write_reply_message(socket.get_mut(), number, &reply, MAX_VERSION).unwrap();
            and_then(&mut socket);
        });
        let report = Report::default();
        let stream = Stream::introduce(ours, c"test".into()).unwrap();
        let why = stream.play(mixer::queue().1, &report);
        server.join().unwrap();
        (report.get(), why.to_string())
    }

    fn expect(socket: &mut BufReader<UnixStream>, bytes: u32) {
        let mut left = bytes;
        while left > 0 {
            let descriptor = read_descriptor(socket).unwrap();
            assert_eq!(descriptor.channel, CHANNEL);
            let mut samples = vec![1; descriptor.length as usize];
            socket.read_exact(&mut samples).unwrap();
            assert!(samples.iter().all(|&byte| byte == 0));
            left -= descriptor.length;
        }
    }

    fn say(socket: &mut BufReader<UnixStream>, command: &Command) {
        let mut message = Vec::new();
        write_command_message(&mut message, u32::MAX, command, MAX_VERSION).unwrap();
        socket.get_mut().write_all(&message).unwrap();
    }

    #[test]
    fn the_server_gets_what_it_asks_for_until_it_ends_the_stream() {
        let (status, why) = conversation(|socket| {
            expect(socket, 3528);
            say(socket, &Command::Request(Request { channel: CHANNEL, length: 800 }));
            expect(socket, 800);
            // Partial frames are sent once they are complete, and long requests in several messages.
            say(socket, &Command::Request(Request { channel: CHANNEL, length: 4 }));
            say(
                socket,
                &Command::PlaybackStreamSuspended(StreamSuspendedParams { stream_index: CHANNEL, suspended: true }),
            );
            write_ack_message(socket.get_mut(), 99).unwrap();
            say(socket, &Command::Request(Request { channel: CHANNEL, length: 100_004 }));
            expect(socket, 100_008);
            say(socket, &Command::PlaybackStreamKilled(CHANNEL));
        });
        // 3528 bytes are 441 frames, 10 ms at the server's rate.
        assert_eq!(status, Status::Playing { rate: 44_100, latency: Duration::from_millis(10) });
        assert!(why.contains("ended"), "{why}");
    }

    #[test]
    fn a_server_that_goes_away_is_reported() {
        let (_, why) = conversation(|socket| expect(socket, 3528));
        assert!(why.contains("was lost"), "{why}");
    }

    #[test]
    fn dropping_hangs_up_even_on_a_server_that_never_answers() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let player = Player { line: Arc::default() };
        lock(&player.line).socket = Some(ours.try_clone().unwrap());
        let began = Instant::now();
        let caller = thread::spawn(|| Stream::introduce(ours, c"test".into()).err());
        thread::sleep(Duration::from_millis(20));
        drop(player);
        assert!(caller.join().unwrap().is_some());
        assert!(began.elapsed() < PATIENCE / 2);
    }
}
