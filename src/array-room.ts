/** Gives an array of some length for a purpose. */
export type ArraySource = (purpose: string, length: number) => Float64Array;

/** New arrays, for who keeps them. */
export const newArrays: ArraySource = (_, length) => new Float64Array(length);

/**
 * Arrays that are used again for every batch of a run, one a purpose: what an array holds is gone once the next one is
 * asked for the same purpose.
 *
 * A run of ten million lines would make 500 MB of them, and V8 lets 70 MB of such garbage grow before it looks.
 */
export function reusedArrays(): ArraySource {
  const arrays = new Map<string, Float64Array>();
  return (purpose, length) => {
    const known = arrays.get(purpose);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    // Batches differ a little in length.
    const array = new Float64Array(length + Math.ceil(length / 16));
    arrays.set(purpose, array);
    return array.subarray(0, length);
  };
}
