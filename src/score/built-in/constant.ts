import { constantScorer } from '../constant-scorer.js';
import { numberOf } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';

/** The same score for every pair, with teapot-nlp's flag. */
export const CONSTANT_SCORER: ScorerDefinition = {
  key: 'constant',
  name: 'F-1',
  description: 'the same score for every pair',
  origin: 'built-in',
  parameters: [
    { name: 'value', type: 'number', minimum: 0, maximum: 1, default: 0.5, flag: 'value', help: 'the score' },
  ],
  create: (values) => {
    const value = numberOf(values, 'value');
    return constantScorer(value, `constant|value:${value}`);
  },
};
