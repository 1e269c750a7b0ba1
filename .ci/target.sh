# Finds a compiler for another target. Sourced by .ci/arm and .ci/web.
#   install PACKAGES…         installs Debian packages, if that is possible on this machine
#   use_target TARGET CRATES  sets the array `cargo` to a command that compiles for TARGET. With rustup, the target is
#                             added to the current toolchain. If rustup cannot fetch it, Debian's packages provide a
#                             second toolchain, and CRATES of the standard library are built once from their sources.

skip() { echo "skipped: $*"; exit 0; }
has() { command -v "$1" >/dev/null; }

install() {
  dpkg -s "$@" >/dev/null 2>&1 && return
  has apt-get || return 1
  local as=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || return 1
    as=(sudo -n)
  fi
  { "${as[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${as[@]}" apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null
}

use_target() {
  local target=$1 crates=$2 library work
  # Whether a toolchain has the target's standard library.
  knows_target() { ls "$("$1" --print target-libdir --target "$target")"/libstd-*.rlib >/dev/null 2>&1; }
  if knows_target rustc || { has rustup && timeout 120 rustup target add "$target" >/dev/null 2>&1; }; then
    cargo=(cargo)
    return
  fi
  # Debian's compiler for the web is newer than its plain one.
  install rustc-web cargo-web rust-web-src || skip "the target $target is not installed, rustup cannot fetch it, and neither can rustc-web, cargo-web and rust-web-src be installed"
  # Bypasses rustup, whose shims come first in PATH.
  export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc
  cargo=(env -u RUSTUP_TOOLCHAIN /usr/bin/cargo)
  knows_target "$RUSTC" && return
  library=$("$RUSTC" --print target-libdir --target "$target")
  work=$(mktemp -d)
  mkdir "$work/src"
  echo 'fn main() {}' >"$work/src/main.rs"
  printf '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2024"\n' >"$work/Cargo.toml"
  # Building the standard library needs unstable features. Without its bitcode nothing could be optimised across crates.
  (cd "$work" && RUSTC_BOOTSTRAP=1 RUSTFLAGS='-C embed-bitcode=yes' CARGO_TARGET_DIR="$work/target" \
    "${cargo[@]}" build -q --release -Z build-std="$crates" --target "$target")
  mkdir -p "$library"
  cp "$work/target/$target/release/deps/"*.rlib "$library"/
  rm -rf "$work"
}
