//! zstd in portions, for files that TypeScript reads and writes as streams: Node 20 has none of its own.

use std::io::Write;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};
use zstd::stream::write::Encoder;

use crate::error::{Code, Error, Result};
use crate::task::guard;

/// How much one step gives at most, in bytes: a few bytes of input may stand for gigabytes of output.
const STEP_BYTES: usize = 1 << 20;

/// zstd's own default: about as fast as a disk, a third of the size of text.
const LEVEL: i32 = 3;

/// What one step of decompression did.
#[napi(object)]
pub struct ZstdStep {
    /// How many bytes of the input it used.
    pub consumed: u32,
    /// What came out.
    pub output: Buffer,
    /// More may come out of the same input: call again, even when all of it is used.
    pub more: bool,
}

/// Decompresses a stream of zstd frames.
#[napi]
pub struct ZstdDecoder {
    decoder: Decoder<'static>,
    is_complete: bool,
}

#[napi]
impl ZstdDecoder {
    /// A decoder at the start of a stream.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when zstd has no memory left.
    #[napi(constructor)]
    pub fn new() -> Result<Self> {
        let mut decoder = Decoder::new().map_err(internal)?;
        // Windows as long as `zstd --long=31` makes them; memory grows with the text that is read.
        decoder.set_parameter(DParameter::WindowLogMax(31)).map_err(internal)?;
        Ok(Self { decoder, is_complete: true })
    }

    /// Decompresses part of the input, from `offset` on, into at most 1 MiB.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_FORMAT` when the data is no zstd or damaged.
    #[napi]
    pub fn step(&mut self, input: &[u8], offset: u32) -> Result<ZstdStep> {
        guard(|| {
            let rest = input.get(offset as usize..).unwrap_or_default();
            let mut bytes = Vec::with_capacity(STEP_BYTES);
            let mut input = InBuffer::around(rest);
            let mut output = OutBuffer::around(&mut bytes);
            // Each run goes to the end of a frame, of the input or of the output.
            while output.pos() < output.capacity() {
                let before = (input.pos(), output.pos());
                let hint = self.decoder.run(&mut input, &mut output).map_err(damaged)?;
                let is_idle = before == (input.pos(), output.pos());
                self.is_complete = hint == 0 || (is_idle && self.is_complete);
                if is_idle || (hint == 0 && input.pos() == rest.len()) {
                    break;
                }
            }
            let consumed = u32::try_from(input.pos()).map_err(internal)?;
            let more = output.pos() == output.capacity();
            Ok(ZstdStep { consumed, output: bytes.into(), more })
        })
    }

    /// Whether the stream may end here: between two frames.
    #[napi(getter)]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

/// Compresses a stream into one zstd frame with a checksum.
#[napi]
pub struct ZstdEncoder {
    encoder: Option<Encoder<'static, Vec<u8>>>,
}

#[napi]
impl ZstdEncoder {
    /// An encoder at the start of a stream, with zstd's default level.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when zstd has no memory left.
    #[napi(constructor)]
    pub fn new() -> Result<Self> {
        let mut encoder = Encoder::new(Vec::new(), LEVEL).map_err(internal)?;
        encoder.include_checksum(true).map_err(internal)?;
        Ok(Self { encoder: Some(encoder) })
    }

    /// Takes a portion and gives what is compressed so far: often nothing yet.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when the stream is finished.
    #[napi]
    pub fn write(&mut self, input: &[u8]) -> Result<Buffer> {
        guard(|| {
            let Some(encoder) = self.encoder.as_mut() else {
                return Err(Error::new(Code::Internal, "the zstd stream is finished"));
            };
            encoder.write_all(input).map_err(internal)?;
            Ok(std::mem::take(encoder.get_mut()).into())
        })
    }

    /// Ends the frame and gives the rest of it. To be called once.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when the stream is finished.
    #[napi]
    pub fn finish(&mut self) -> Result<Buffer> {
        guard(|| {
            let Some(encoder) = self.encoder.take() else {
                return Err(Error::new(Code::Internal, "the zstd stream is finished"));
            };
            Ok(encoder.finish().map_err(internal)?.into())
        })
    }
}

fn damaged(error: std::io::Error) -> Error {
    Error::new(Code::Format, error.to_string())
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::new(Code::Internal, error.to_string())
}
