import { ANSWER_SCORERS } from './built-in/answers.js';
import { BLEU_SCORER } from './built-in/bleu.js';
import { CHRF_SCORERS } from './built-in/chrf.js';
import { CONSTANT_SCORER } from './built-in/constant.js';
import { EDIT_SCORERS } from './built-in/edits.js';
import { ENCODER_SCORERS } from './built-in/encoder.js';
import { METEOR_SCORER } from './built-in/meteor.js';
import type { ScorerDefinition } from './definition.js';

/** Every scorer that needs no module of the user, in the order of the documentation's table. */
export const BUILT_IN_SCORERS: readonly ScorerDefinition[] = [
  ...CHRF_SCORERS,
  BLEU_SCORER,
  ...ANSWER_SCORERS,
  ...EDIT_SCORERS,
  METEOR_SCORER,
  ...ENCODER_SCORERS,
  CONSTANT_SCORER,
];
