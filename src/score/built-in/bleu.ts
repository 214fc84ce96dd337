import { ERROR_CODES, UsageError } from '../../errors.js';
import { booleanOf, numberOf, textOf } from '../parameters.js';
import type { ParameterValues } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import type { Scorer } from '../scorer.js';
import { tokenizerOfLanguage } from '../unspaced-script.js';
import { caseOf, createNative, LOWERCASE, yesNo } from './native-definition.js';
import type { CreateContext } from './native-definition.js';

/** Smoothings of BLEU that take a value, with teapot-nlp's value for floor and sacreBLEU's for add-k. */
const SMOOTH_VALUES: Readonly<Record<string, number>> = { floor: 0.01, 'add-k': 1 };

/** BLEU of sentences. */
export const BLEU_SCORER: ScorerDefinition = {
  key: 'bleu',
  takesLanguage: true,
  name: 'BLEU',
  description: 'sentence BLEU as teapot-nlp has it: sacreBLEU, floor 0.01, effective order',
  origin: 'built-in',
  parameters: [
    {
      name: 'tokenize',
      type: 'choice',
      choices: ['13a', 'none', 'char', 'intl', 'zh'],
      default: '13a',
      help: "sacreBLEU's tokenizer; zh for Chinese and char for Japanese, Thai, Lao, Khmer, Burmese when the language is given",
    },
    {
      name: 'smooth',
      type: 'choice',
      choices: ['floor', 'add-k', 'exp', 'none'],
      default: 'floor',
      help: 'what orders without a match count',
    },
    {
      name: 'value',
      type: 'number',
      minimum: 0,
      help: 'value of the smoothing, 0.01 for floor and 1 for add-k when not given',
    },
    { name: 'order', type: 'integer', minimum: 1, maximum: 1000, default: 4, help: 'longest word n-gram' },
    {
      name: 'effective_order',
      type: 'boolean',
      default: true,
      help: 'leave out orders for which the hypothesis is too short',
    },
    LOWERCASE,
  ],
  create: bleu,
};

function bleu(values: ParameterValues, context: CreateContext, given: ReadonlySet<string>): Scorer {
  const smoothing = textOf(values, 'smooth');
  const defaultValue = SMOOTH_VALUES[smoothing];
  if (defaultValue === undefined && given.has('value')) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `bleu: value does nothing with smooth=${smoothing}: only floor and add-k take a value`,
    );
  }
  const smoothValue = (values['value'] as number | undefined) ?? defaultValue;
  const maxOrder = numberOf(values, 'order');
  const tokenizer = bleuTokenizer(values, context, given);
  return createNative(context, {
    key: 'bleu',
    name: 'BLEU',
    native: {
      kind: 'bleu',
      tokenizer,
      smoothing,
      ...(smoothValue === undefined ? {} : { smoothValue }),
      maxOrder,
      effectiveOrder: booleanOf(values, 'effective_order'),
      lowercase: booleanOf(values, 'lowercase'),
    },
    signature: [
      'BLEU',
      caseOf(values),
      `eff:${yesNo(values, 'effective_order')}`,
      `tok:${tokenizer}`,
      `smooth:${smoothing}${smoothValue === undefined ? '' : `[${twoDigits(smoothValue)}]`}`,
      ...(maxOrder === 4 ? [] : [`order:${maxOrder}`]),
    ],
  });
}

/** The tokenizer of the language where the user named no tokenizer; it changes scores, so a note says it. */
function bleuTokenizer(values: ParameterValues, context: CreateContext, given: ReadonlySet<string>): string {
  const tokenizer = textOf(values, 'tokenize');
  const ofLanguage = tokenizerOfLanguage(context.language);
  if (given.has('tokenize') || ofLanguage === undefined) return tokenizer;
  context.onNote?.(
    `Note: BLEU uses the tokenizer ${ofLanguage}, since the language is ${context.language}; bleu:tokenize=… overrides it.`,
  );
  return ofLanguage;
}

/** sacreBLEU prints two digits; a value that has more is printed whole, since it changes scores. */
function twoDigits(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(value);
}
