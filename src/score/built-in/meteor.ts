import { access } from 'node:fs/promises';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { DEFAULT_JAVA_COMMAND, MeteorScorer } from '../meteor.js';
import { textOf } from '../parameters.js';
import type { ParameterValues } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';
import type { Scorer } from '../scorer.js';
import type { CreateContext } from './native-definition.js';

/** METEOR 1.5, with teapot-nlp's flags. */
export const METEOR_SCORER: ScorerDefinition = {
  key: 'meteor',
  takesLanguage: true,
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
};

async function meteor(values: ParameterValues, context: CreateContext): Promise<Scorer> {
  const jar = textOf(values, 'jar');
  if (jar === '') {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'METEOR needs its jar: the option `meteorJar` FILE (meteor-1.5.jar, with the folder data beside it)',
    );
  }
  await access(jar).catch((cause: unknown) => {
    throw new UsageError(
      ERROR_CODES.READ,
      `METEOR: there is no jar at ${jar}; the option \`meteorJar\` must name meteor-1.5.jar`,
      {
        cause,
      },
    );
  });
  const language = textOf(values, 'language') || (context.language ?? '');
  if (language === '') {
    const flag = { source: 'the option `srcLang`', target: 'the option `tgtLang`' }[context.side ?? 'target'];
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
