// The bootstrap of a mean by the native core: N scores, RESAMPLES resamples. Prints JSON, as bootstrap.py does.
//
//   node bench/bootstrap.mjs N RESAMPLES
import { createRequire } from 'node:module';

import { generator } from './data.mjs';

const [size, resamples] = process.argv.slice(2).map(Number);
const binding = createRequire(import.meta.url)('../crates/teapot-napi/binding.cjs');
const random = generator(12345);
const scores = Float64Array.from({ length: size }, random);
const begin = performance.now();
const { lower, upper } = await binding.bootstrapMean(scores, { resamples, confidence: 0.95, seed: 12345, threads: 1 });
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000, low: lower, high: upper }));
