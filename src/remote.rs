//! The remote control: everything tunable, read and written from outside by [Bevy's remote protocol](bevy_remote),
//! JSON-RPC over HTTP, while the program runs.
//!
//! It is off by default: it needs its feature, and must be added or requested when the program runs. It listens on the
//! loopback only, so no other machine has access. The protocol has no authentication. Any program on this machine can
//! change, spawn and despawn everything in the world.
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use carom::{prelude::*, remote::RemoteControlPlugin};
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! app.add_plugins(RemoteControlPlugin::listening_at(RemoteControlPlugin::DEFAULT_PORT).unwrap());
//! ```
//!
//! `carom --remote` does that; `examples/remote/cooling.py` is a program that speaks to it. A setting is a resource, a
//! value of a disc or a piece of terrain is a component, by its type path:
//!
//! ```sh
//! curl -s 127.0.0.1:15702 -d '{"jsonrpc": "2.0", "id": 1, "method": "world.mutate_resources", "params":
//!   {"resource": "carom::collision::settings::CollisionSettings", "path": ".restitution", "value": 0.5}}'
//! ```

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

use bevy::prelude::*;
use bevy_remote::{
    RemotePlugin,
    http::{DEFAULT_PORT, RemoteHttpPlugin},
};

/// Lets programs on this machine read and write the world; see the [page of this module](self).
pub struct RemoteControlPlugin {
    port: u16,
}

impl RemoteControlPlugin {
    /// The port that clients of the protocol try first.
    pub const DEFAULT_PORT: u16 = DEFAULT_PORT;

    /// The remote control at this port of the loopback, `127.0.0.1`; at 0 a free one is found.
    ///
    /// # Errors
    /// The port cannot be had, as another program has it.
    pub fn listening_at(port: u16) -> io::Result<Self> {
        // The server would say nothing.
        let found = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?.local_addr()?;
        Ok(Self { port: found.port() })
    }

    /// The port at which it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Reads where to listen: a port, or one after `127.0.0.1:`.
    ///
    /// # Errors
    /// The text is not a port, or the address is not this machine. The message says which.
    pub fn read_port(text: &str) -> Result<u16, String> {
        let port = match text.rsplit_once(':') {
            Some(("127.0.0.1" | "localhost", port)) => port,
            Some((address, _)) => {
                return Err(format!(
                    "it listens on this machine alone, not on {address}; give a port, such as {DEFAULT_PORT}"
                ));
            }
            None => text,
        };
        port.parse().map_err(|_| {
            format!("`{text}` is not a port; give a whole number from 0 (any that is free) to {}", u16::MAX)
        })
    }
}

impl Plugin for RemoteControlPlugin {
    fn build(&self, app: &mut App) {
        let server = RemoteHttpPlugin::default().with_address(Ipv4Addr::LOCALHOST).with_port(self.port);
        app.add_plugins((RemotePlugin::default(), server));
    }
}
