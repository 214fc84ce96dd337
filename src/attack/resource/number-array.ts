/** How the numbers of an array are stored; little-endian. */
export type NumberFormat = 'float16' | 'bfloat16' | 'float32' | 'float64';

/** Bytes a number. */
export const NUMBER_BYTES: Readonly<Record<NumberFormat, number>> = { float16: 2, bfloat16: 2, float32: 4, float64: 8 };

/**
 * Reads little-endian numbers.
 *
 * @param bytes A whole number of numbers.
 * @returns As many numbers; those of 64 bits are rounded to 32.
 */
export function readNumbers(bytes: Uint8Array, format: NumberFormat): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = NUMBER_BYTES[format];
  const numbers = new Float32Array(bytes.byteLength / width);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = readNumber(view, index * width, format);
  return numbers;
}

function readNumber(view: DataView, at: number, format: NumberFormat): number {
  switch (format) {
    case 'float64':
      return view.getFloat64(at, true);
    case 'float32':
      return view.getFloat32(at, true);
    case 'bfloat16':
      return bfloat16(view.getUint16(at, true));
    default:
      return half(view.getUint16(at, true));
  }
}

const CAST = new DataView(new ArrayBuffer(4));

/** The upper half of a number of 32 bits. */
function bfloat16(bits: number): number {
  CAST.setUint32(0, bits * 0x1_0000);
  return CAST.getFloat32(0);
}

/** IEEE 754 binary16: 1 bit sign, 5 bits exponent, 10 bits fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
