//! The Node-API border of teapot.

use napi_derive::napi;

/// Version of the native core, equal to the package's version.
#[napi]
pub fn native_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
