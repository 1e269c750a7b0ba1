//! The remote control: an app without a window, and a client that talks to it over the loopback interface.
#![cfg(feature = "remote")]

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use carom::{prelude::*, remote::RemoteControlPlugin};

/// A listening app, and its port.
fn app() -> (App, u16) {
    let mut app = App::new();
    let remote = RemoteControlPlugin::listening_at(0).expect("a port is free");
    let port = remote.port();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), remote));
    app.finish();
    app.cleanup();
    (app, port)
}

/// Sends a request, and returns the answer as text.
fn ask(port: u16, method: &str, params: &str) -> String {
    let body = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params}}}"#);
    // The server starts with the first update.
    let begin = Instant::now();
    let mut stream = loop {
        match TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
            Ok(stream) => break stream,
            Err(error) => assert!(begin.elapsed() < Duration::from_secs(20), "{error}"),
        }
        thread::sleep(Duration::from_millis(5));
    };
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned())
}

/// Runs the app while a client talks to it, and returns the client's result.
fn talk<T: Send + 'static>(app: &mut App, client: impl FnOnce() -> T + Send + 'static) -> T {
    let client = thread::spawn(client);
    while !client.is_finished() {
        app.update();
        thread::sleep(Duration::from_millis(1));
    }
    client.join().expect("the client gets its answers")
}

/// The settings of the physics.
const SETTINGS: [&str; 4] = [
    "carom::collision::settings::CollisionSettings",
    "carom::motion::MotionSettings",
    "carom::timeline::Playback",
    "carom::components::NextStableId",
];

#[test]
fn settings_are_read_and_written() {
    let (mut app, port) = app();
    let answers = talk(&mut app, move || {
        let write =
            r#"{"resource": "carom::collision::settings::CollisionSettings", "path": ".restitution", "value": 0.25}"#;
        let written = ask(port, "world.mutate_resources", write);
        let wrong = ask(port, "world.mutate_resources", &write.replace("restitution", "bounciness"));
        let read = SETTINGS.map(|name| ask(port, "world.get_resources", &format!(r#"{{"resource": "{name}"}}"#)));
        (written, wrong, read)
    });
    assert!(answers.0.contains(r#""result":null"#), "{}", answers.0);
    assert!(answers.1.contains("error"), "{}", answers.1);
    assert_eq!(app.world().resource::<CollisionSettings>().restitution, 0.25);
    assert!(answers.2[0].contains(r#""restitution":0.25"#), "{}", answers.2[0]);
    for answer in &answers.2 {
        assert!(answer.contains("result") && !answer.contains("error"), "{answer}");
    }
}

#[test]
fn discs_are_found_changed_and_spawned() {
    let (mut app, port) = app();
    app.insert_resource(Playback { paused: true, ..default() });
    let disc = app.world_mut().spawn((Disc, Position(Vec2::new(1.5, -2.0)), Radius(0.25))).id();
    let bits = disc.to_bits();
    let answers = talk(&mut app, move || {
        let every = ["Position", "Velocity", "Radius", "Mass", "StableId"];
        let names = every.map(|name| format!(r#""carom::components::{name}""#)).join(", ");
        [
            ask(port, "world.query", &format!(r#"{{"data": {{"components": [{names}]}}}}"#)),
            ask(
                port,
                "world.mutate_components",
                &format!(
                    r#"{{"entity": {bits}, "component": "carom::components::Velocity", "path": ".0.x", "value": 3.5}}"#
                ),
            ),
            ask(
                port,
                "world.insert_components",
                &format!(r#"{{"entity": {bits}, "components": {{"carom::components::Restitution": 0.5}}}}"#),
            ),
            ask(
                port,
                "world.spawn_entity",
                r#"{"components": {"carom::components::Disc": {}, "carom::components::Position": [7.0, 0.0]}}"#,
            ),
        ]
    });
    assert!(answers[0].contains("[1.5,-2.0]"), "{}", answers[0]);
    for answer in &answers {
        assert!(answer.contains("result") && !answer.contains("error"), "{answer}");
    }
    assert_eq!(app.world().get::<Velocity>(disc), Some(&Velocity(Vec2::new(3.5, 0.0))));
    assert_eq!(app.world().get::<Restitution>(disc), Some(&Restitution(0.5)));
    let places: Vec<_> = app.world_mut().query_filtered::<&Position, With<Disc>>().iter(app.world()).copied().collect();
    assert!(places.contains(&Position(Vec2::new(7.0, 0.0))) && places.len() == 2, "{places:?}");
}

#[test]
fn what_a_person_may_tune_is_registered_as_what_it_is() {
    let (app, _) = app();
    let types = app.world().resource::<AppTypeRegistry>().read();
    for name in SETTINGS.iter().chain(&["carom::collision::spin::TablePhysics"]) {
        let registration = types.get_with_type_path(name).unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(registration.data::<ReflectResource>().is_some(), "{name}");
    }
    for name in [
        "disc::Position",
        "disc::Velocity",
        "disc::Radius",
        "disc::Mass",
        "disc::Restitution",
        "disc::AngularVelocity",
        "disc::ConstantForce",
        "disc::ConstantTorque",
        "disc::Kinematic",
        "disc::MoveTo",
        "disc::TurnTo",
        "disc::Inactive",
        "disc::Ball",
        "filter::CollisionLayers",
        "filter::IgnoredPairs",
        "filter::Sensor",
        "filter::Sensed",
        "filter::BumperKick",
        "terrain::Terrain",
        "disc::Rotation",
        "terrain::Pocket",
        "terrain::OneWay",
        "periodic::Oscillation",
        "periodic::Orbit",
        "joint::Joint",
    ] {
        let name = format!("carom::components::{name}");
        let registration = types.get_with_type_path(&name).unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(registration.data::<ReflectComponent>().is_some(), "{name}");
    }
}

#[test]
fn it_listens_on_the_loopback_alone_and_says_where_it_cannot() {
    let (app, port) = app();
    let address = app.world().resource::<bevy_remote::http::HostAddress>().0;
    assert!(address.is_loopback() && port != 0);
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    assert!(RemoteControlPlugin::listening_at(taken.local_addr().unwrap().port()).is_err());
    assert_eq!(RemoteControlPlugin::read_port("15702"), Ok(15702));
    assert_eq!(RemoteControlPlugin::read_port("127.0.0.1:0"), Ok(0));
    for (wrong, word) in [
        ("0.0.0.0:15702", "this machine alone"),
        ("[::]:1", "this machine alone"),
        ("70000", "no port"),
        ("x", "no port"),
    ] {
        let error = RemoteControlPlugin::read_port(wrong).unwrap_err();
        assert!(error.contains(word), "{wrong}: {error}");
    }
}
