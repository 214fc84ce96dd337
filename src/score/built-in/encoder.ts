import { textOf } from '../parameters.js';
import type { ParameterDefinition } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import type { CreateContext } from './native-definition.js';

const MODEL: ParameterDefinition = {
  name: 'model',
  type: 'text',
  default: 'minilm',
  help: 'a folder with model.onnx and tokenizer.json, or a model of "teapot models"',
};

/** Metrics by a language model that runs here; its packages are optional and loaded when one of them is made. */
export const ENCODER_SCORERS: readonly ScorerDefinition[] = [
  {
    key: 'encoder',
    name: 'Encoder cosine',
    description: 'cosine of a sentence encoder, a local ONNX model (0 where it is negative)',
    origin: 'built-in',
    parameters: [MODEL],
    create: async (values, context) =>
      (await import('../encoder-scorer.js')).encoderScorer(textOf(values, 'model'), contextOf(context)),
  },
  {
    key: 'bertscore',
    name: 'BERTScore',
    description: 'BERTScore F1 by the token vectors of a local ONNX model, without weights and rescaling',
    origin: 'built-in',
    parameters: [MODEL],
    create: async (values, context) =>
      (await import('../encoder-scorer.js')).bertscoreScorer(textOf(values, 'model'), contextOf(context)),
  },
];

function contextOf({ referenceCount = 1, version }: CreateContext): {
  readonly referenceCount: number;
  readonly version: string;
} {
  return { referenceCount, version };
}
