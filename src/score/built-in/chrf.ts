import { ERROR_CODES, UsageError } from '../../errors.js';
import { booleanOf, numberOf } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import { caseOf, createNative, LOWERCASE, yesNo } from './native-definition.js';

/** chrF and chrF++, which differ in the default of `word_order` alone. */
export const CHRF_SCORERS: readonly ScorerDefinition[] = [
  chrf('chrf', 'ChrF', 0, 'F score of character n-grams (sacreBLEU sentence chrF)'),
  chrf('chrf++', 'ChrF++', 2, 'chrF with word n-grams up to order 2'),
];

function chrf(key: string, name: string, wordOrder: number, description: string): ScorerDefinition {
  return {
    key,
    name,
    description,
    origin: 'built-in',
    parameters: [
      { name: 'char_order', type: 'integer', minimum: 0, maximum: 100, default: 6, help: 'longest character n-gram' },
      {
        name: 'word_order',
        type: 'integer',
        minimum: 0,
        maximum: 100,
        default: wordOrder,
        help: 'longest word n-gram',
      },
      { name: 'beta', type: 'number', above: 0, maximum: 1e6, default: 2, help: 'weight of recall against precision' },
      LOWERCASE,
      { name: 'whitespace', type: 'boolean', default: false, help: 'keep whitespace in character n-grams' },
      { name: 'eps', type: 'boolean', default: false, help: 'epsilon smoothing instead of effective order' },
    ],
    create: (values, context) => {
      const charOrder = numberOf(values, 'char_order');
      const words = numberOf(values, 'word_order');
      const beta = numberOf(values, 'beta');
      if (charOrder === 0 && words === 0) {
        throw new UsageError(
          ERROR_CODES.INVALID_OPTION,
          `${key}: char_order and word_order are both 0: nothing is counted`,
        );
      }
      return createNative(context, {
        key,
        name,
        native: {
          kind: 'chrf',
          charOrder,
          wordOrder: words,
          beta,
          lowercase: booleanOf(values, 'lowercase'),
          whitespace: booleanOf(values, 'whitespace'),
          epsSmoothing: booleanOf(values, 'eps'),
        },
        signature: [
          `chrF${beta}${'+'.repeat(words)}`,
          caseOf(values),
          `eff:${booleanOf(values, 'eps') ? 'no' : 'yes'}`,
          `nc:${charOrder}`,
          `nw:${words}`,
          `space:${yesNo(values, 'whitespace')}`,
        ],
      });
    },
  };
}
