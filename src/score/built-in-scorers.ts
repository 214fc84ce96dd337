import { access } from 'node:fs/promises';
import { ERROR_CODES, UsageError } from '../errors.js';
import { constantScorer } from './constant-scorer.js';
import { DEFAULT_JAVA_COMMAND, MeteorScorer } from './meteor.js';
import { NativeScorer } from './native-scorer.js';
import type { NativeScorerOptions } from './native-scorer.js';
import { booleanOf, formatParameter, numberOf, textOf } from './parameters.js';
import type { ParameterDefinition, ParameterValues } from './parameters.js';
import type { ScorerDefinition } from './registry.js';
import type { Scorer } from './scorer.js';
import { tokenizerOfLanguage } from './unspaced-script.js';

type Context = Parameters<ScorerDefinition['create']>[1];

const LOWERCASE: ParameterDefinition = {
  name: 'lowercase',
  type: 'boolean',
  default: false,
  help: 'compare lowercased texts',
};

/** Smoothings of BLEU that take a value, with teapot-nlp's value for floor and sacreBLEU's for add-k. */
const SMOOTH_VALUES: Readonly<Record<string, number>> = { floor: 0.01, 'add-k': 1 };

/** Every scorer that needs no module: the table of metrics of the documentation. */
export const BUILT_IN_SCORERS: readonly ScorerDefinition[] = [
  chrf('chrf', 'ChrF', 0, 'F score of character n-grams (sacreBLEU sentence chrF)'),
  chrf('chrf++', 'ChrF++', 2, 'chrF with word n-grams up to order 2'),
  {
    key: 'bleu',
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
  },
  {
    key: 'zero_one',
    aliases: ['exact_match'],
    name: 'accuracy',
    description: '1 when the texts are equal, otherwise 0',
    origin: 'built-in',
    parameters: [
      LOWERCASE,
      { name: 'strip', type: 'boolean', default: true, help: 'leave trailing whitespace out of the comparison' },
    ],
    create: (values, context) =>
      native(context, {
        key: 'zero_one',
        name: 'accuracy',
        native: { kind: 'exact_match', lowercase: booleanOf(values, 'lowercase'), strip: booleanOf(values, 'strip') },
        signature: ['exact_match', caseOf(values), `strip:${yesNo(values, 'strip')}`],
      }),
  },
  {
    key: 'f1',
    name: 'F-1',
    description: "F score of words as in teapot-nlp's example: repeated words are not clipped",
    origin: 'built-in',
    parameters: [],
    create: (_values, context) =>
      native(context, {
        key: 'f1',
        name: 'F-1',
        native: { kind: 'token_f1' },
        signature: ['f1', 'tok:space', 'clip:no'],
      }),
  },
  squad('squad_f1', 'SQuAD F1', 'F score of words after SQuAD normalisation, repeated words clipped'),
  squad('squad_em', 'SQuAD EM', '1 when the texts are equal after SQuAD normalisation, otherwise 0'),
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
      return native(context, {
        key: 'edit',
        name: 'edit similarity',
        native: { kind: 'edit', distance, unit },
        signature: ['edit', `distance:${distance}`, `unit:${unit}`],
      });
    },
  },
  {
    key: 'meteor',
    name: 'METEOR',
    description: 'METEOR 1.5 through its jar (Java); needs the language of the texts',
    origin: 'built-in',
    parameters: [
      { name: 'jar', type: 'text', flag: 'meteor-jar', help: 'meteor-1.5.jar, with data/paraphrase-LANG.gz beside it' },
      {
        name: 'java_command',
        type: 'text',
        flag: 'java-command',
        default: DEFAULT_JAVA_COMMAND,
        help: 'how a jar is run',
      },
      { name: 'language', type: 'text', help: 'language of the texts, when --src-lang or --tgt-lang does not say it' },
    ],
    create: meteor,
  },
  {
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
  },
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
      return native(context, {
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

function bleu(values: ParameterValues, context: Context, given: ReadonlySet<string>): Scorer {
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
  return native(context, {
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
function bleuTokenizer(values: ParameterValues, context: Context, given: ReadonlySet<string>): string {
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

function squad(key: 'squad_f1' | 'squad_em', name: string, description: string): ScorerDefinition {
  return {
    key,
    name,
    description,
    origin: 'built-in',
    parameters: [
      {
        name: 'version',
        type: 'choice',
        choices: ['1', '2'],
        default: '2',
        help: 'script that is followed: with 1, an answer that is only an article has F1 0 against itself',
      },
    ],
    create: (values, context) => {
      const squadVersion = textOf(values, 'version');
      return native(context, {
        key,
        name,
        native: { kind: key, version: Number(squadVersion) },
        signature: [key, `squad:${squadVersion}`],
      });
    },
  };
}

function ter(values: ParameterValues, context: Context): Scorer {
  const normalized = booleanOf(values, 'normalized');
  const asianSupport = booleanOf(values, 'asian_support');
  if (asianSupport && !normalized) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, 'ter: asian_support=yes does nothing without normalized=yes');
  }
  const noPunct = booleanOf(values, 'no_punct');
  const caseSensitive = booleanOf(values, 'case_sensitive');
  return native(context, {
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

async function meteor(values: ParameterValues, context: Context): Promise<Scorer> {
  const jar = textOf(values, 'jar');
  if (jar === '') {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'METEOR needs its jar: --meteor-jar FILE (meteor-1.5.jar, with the folder data beside it)',
    );
  }
  await access(jar).catch((cause: unknown) => {
    throw new UsageError(ERROR_CODES.READ, `METEOR: there is no jar at ${jar}; --meteor-jar must name meteor-1.5.jar`, {
      cause,
    });
  });
  const language = textOf(values, 'language') || (context.language ?? '');
  if (language === '') {
    const flag = { source: '--src-lang', target: '--tgt-lang' }[context.side ?? 'target'];
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `METEOR needs the language of the texts: ${flag} en, for example`);
  }
  const nrefs = `nrefs:${context.referenceCount ?? 1}`;
  return new MeteorScorer({
    jar,
    language,
    javaCommand: textOf(values, 'java_command'),
    silenceMs: context.silenceMs,
    signature: `METEOR|${nrefs}|lang:${language}|norm:yes|meteor:1.5|version:${context.version}`,
  });
}

/** A native scorer; its signature's parts are put around the number of references and the version as sacreBLEU does. */
function native(
  context: Context,
  options: Omit<NativeScorerOptions, 'signature' | 'onNote'> & { readonly signature: readonly string[] },
): NativeScorer {
  const [metric = '', ...rest] = options.signature;
  const signature = [metric, `nrefs:${context.referenceCount ?? 1}`, ...rest, `version:${context.version}`].join('|');
  return new NativeScorer({ ...options, signature, onNote: context.onNote });
}

function caseOf(values: ParameterValues): string {
  return `case:${booleanOf(values, 'lowercase') ? 'lc' : 'mixed'}`;
}

function yesNo(values: ParameterValues, name: string): string {
  return formatParameter(booleanOf(values, name));
}
