import { booleanOf, textOf } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import { caseOf, createNative, LOWERCASE, yesNo } from './native-definition.js';

/** Metrics of labels and short answers: equality and shared words. */
export const ANSWER_SCORERS: readonly ScorerDefinition[] = [
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
      createNative(context, {
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
      createNative(context, {
        key: 'f1',
        name: 'F-1',
        native: { kind: 'token_f1' },
        signature: ['f1', 'tok:space', 'clip:no'],
      }),
  },
  squad('squad_f1', 'SQuAD F1', 'F score of words after SQuAD normalisation, repeated words clipped'),
  squad('squad_em', 'SQuAD EM', '1 when the texts are equal after SQuAD normalisation, otherwise 0'),
];

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
      return createNative(context, {
        key,
        name,
        native: { kind: key, version: Number(squadVersion) },
        signature: [key, `squad:${squadVersion}`],
      });
    },
  };
}
