import { ERROR_CODES, UsageError } from '../../errors.js';
import { booleanOf, textOf } from '../parameters.js';
import type { ParameterValues } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import type { Scorer } from '../scorer.js';
import { createNative, yesNo } from './native-definition.js';
import type { CreateContext } from './native-definition.js';

/** Metrics that count edits: TER and edit similarity. */
export const EDIT_SCORERS: readonly ScorerDefinition[] = [
  {
    key: 'ter',
    name: 'TER',
    description: '1 - min(1, TER): edits and shifts of words (sacreBLEU, tercom)',
    origin: 'built-in',
    parameters: [
      { name: 'normalized', type: 'boolean', default: false, help: "tercom's normalisation" },
      { name: 'no_punct', type: 'boolean', default: false, help: 'remove punctuation' },
      { name: 'asian_support', type: 'boolean', default: false, help: 'split Asian characters; needs normalized=yes' },
      { name: 'case_sensitive', type: 'boolean', default: false, help: 'distinguish case' },
    ],
    create: ter,
  },
  {
    key: 'edit',
    name: 'edit similarity',
    description: 'normalised similarity of an edit distance (RapidFuzz)',
    origin: 'built-in',
    parameters: [
      {
        name: 'distance',
        type: 'choice',
        choices: ['levenshtein', 'osa', 'indel', 'jaro_winkler'],
        default: 'levenshtein',
        help: 'which edits count',
      },
      {
        name: 'unit',
        type: 'choice',
        choices: ['char', 'word'],
        default: 'char',
        help: 'edits of code points or of words',
      },
    ],
    create: (values, context) => {
      const distance = textOf(values, 'distance');
      const unit = textOf(values, 'unit');
      return createNative(context, {
        key: 'edit',
        name: 'edit similarity',
        native: { kind: 'edit', distance, unit },
        signature: ['edit', `distance:${distance}`, `unit:${unit}`],
      });
    },
  },
];

function ter(values: ParameterValues, context: CreateContext): Scorer {
  const normalized = booleanOf(values, 'normalized');
  const asianSupport = booleanOf(values, 'asian_support');
  if (asianSupport && !normalized) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, 'ter: asian_support=yes does nothing without normalized=yes');
  }
  const noPunct = booleanOf(values, 'no_punct');
  const caseSensitive = booleanOf(values, 'case_sensitive');
  return createNative(context, {
    key: 'ter',
    name: 'TER',
    native: { kind: 'ter', normalized, noPunct, asianSupport, caseSensitive },
    signature: [
      'TER',
      `case:${caseSensitive ? 'mixed' : 'lc'}`,
      'tok:tercom',
      `norm:${yesNo(values, 'normalized')}`,
      `punct:${noPunct ? 'no' : 'yes'}`,
      `asian:${yesNo(values, 'asian_support')}`,
    ],
  });
}
