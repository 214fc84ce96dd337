//! Lets the linker leave Node's own symbols open.

fn main() {
    napi_build::setup();
}
