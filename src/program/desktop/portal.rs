//! The settings portal of a desktop of Linux and the BSDs.

use std::sync::mpsc::{Receiver, channel};

use bevy::prelude::*;
use zbus::{Connection, block_on, connection::Builder, zvariant::OwnedValue};

use crate::view::ViewSettings;

/// What the portal has answered, as soon as it has.
struct Answer(Receiver<bool>);

/// Asks it, without waiting for it.
pub(super) fn plugin(app: &mut App) {
    let (sender, answer) = channel();
    // A portal may have to be started first. Without a thread nothing is known, as without a portal.
    let asks = std::thread::Builder::new().name("desktop".to_owned()).spawn(move || {
        if let Some(less) = wants_less_motion(None) {
            let _ = sender.send(less);
        }
    });
    if asks.is_ok() {
        app.insert_non_send(Answer(answer)).add_systems(Update, take_over);
    }
}

fn take_over(answer: NonSend<Answer>, mut view: ResMut<ViewSettings>) {
    if let Ok(less) = answer.0.try_recv()
        && view.desktop_reduces_motion != less
    {
        view.desktop_reduces_motion = less;
    }
}

/// One setting of the desktop.
async fn setting(portal: &Connection, namespace: &str, key: &str) -> zbus::Result<OwnedValue> {
    let reply = portal
        .call_method(
            Some("org.freedesktop.portal.Desktop"),
            "/org/freedesktop/portal/desktop",
            Some("org.freedesktop.portal.Settings"),
            "ReadOne",
            &(namespace, key),
        )
        .await?;
    reply.body().deserialize()
}

/// Whether the desktop wants less motion; none where it does not say. The session's bus, or that of an address.
fn wants_less_motion(address: Option<&str>) -> Option<bool> {
    block_on(async {
        let bus = match address {
            Some(address) => Builder::address(address)?.build().await?,
            None => Connection::session().await?,
        };
        // 1: less motion; 0: no preference.
        if let Ok(reduced) = setting(&bus, "org.freedesktop.appearance", "reduced-motion").await {
            return Ok(u32::try_from(reduced)? == 1);
        }
        let animations = setting(&bus, "org.gnome.desktop.interface", "enable-animations").await?;
        Ok(!bool::try_from(animations)?)
    })
    .inspect_err(|error: &zbus::Error| tracing::debug!("the desktop does not say how much may move: {error}"))
    .ok()
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        process::{Child, Command, Stdio},
    };

    use zbus::{fdo, interface, zvariant::Value};

    use super::*;

    /// A bus of its own, which ends with it.
    struct Bus {
        daemon: Child,
        address: String,
    }

    impl Drop for Bus {
        fn drop(&mut self) {
            let _ = self.daemon.kill();
            let _ = self.daemon.wait();
        }
    }

    impl Bus {
        fn open() -> Option<Self> {
            let mut daemon = Command::new("dbus-daemon");
            let daemon = daemon.args(["--session", "--nofork", "--print-address"]).stdout(Stdio::piped());
            let mut daemon = daemon.stderr(Stdio::null()).spawn().ok()?;
            let mut address = String::new();
            BufReader::new(daemon.stdout.take()?).read_line(&mut address).ok()?;
            Some(Self { daemon, address: address.trim().to_owned() })
        }
    }

    /// A portal that knows these settings: less motion, animations.
    struct Portal(Option<u32>, Option<bool>);

    #[interface(name = "org.freedesktop.portal.Settings")]
    impl Portal {
        fn read_one(&self, namespace: &str, key: &str) -> fdo::Result<OwnedValue> {
            let value = match (namespace, key) {
                ("org.freedesktop.appearance", "reduced-motion") => self.0.map(Value::from),
                ("org.gnome.desktop.interface", "enable-animations") => self.1.map(Value::from),
                _ => None,
            };
            let value = value.ok_or_else(|| fdo::Error::Failed("it is not known".to_owned()))?;
            value.try_into_owned().map_err(|error| fdo::Error::Failed(error.to_string()))
        }
    }

    #[test]
    fn the_portal_is_asked_and_where_it_does_not_know_gnome_is() {
        let Some(bus) = Bus::open() else {
            println!("skipped: dbus-daemon is not installed");
            return;
        };
        assert_eq!(wants_less_motion(Some(&bus.address)), None, "nobody is there");
        for (motion, animations, expected) in [
            (Some(1), None, Some(true)),
            (Some(0), Some(false), Some(false)),
            (None, Some(false), Some(true)),
            (None, Some(true), Some(false)),
            (None, None, None),
        ] {
            let portal = Builder::address(bus.address.as_str()).unwrap();
            let portal = portal.name("org.freedesktop.portal.Desktop").unwrap();
            let portal = portal.serve_at("/org/freedesktop/portal/desktop", Portal(motion, animations)).unwrap();
            let _portal = block_on(portal.build()).unwrap();
            assert_eq!(wants_less_motion(Some(&bus.address)), expected, "{motion:?} {animations:?}");
        }
    }
}
