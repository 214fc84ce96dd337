import { evaluatePrompt } from '../../attack/evaluate-prompt.js';
import { importanceByDeletion, importanceQueries } from '../../attack/importance.js';
import type { Judge } from '../../attack/asking.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { loadPromptTask, promptsOf, promptVictim, readConfig } from '../attack/plan.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import type { ImportanceArguments } from '../commands/importance.js';
import { openRunFolder } from '../attack/run-folder.js';
import { version } from '../../version.js';
import { keepImportance } from './report.js';
import type { Found, ImportanceEstimate } from './report.js';

/**
 * Which words the score of a prompt hangs on: each is left out in turn, and the prompt evaluated on the whole data set.
 *
 * @throws {UsageError} as the task and the prompts say; what the victim throws.
 */
export async function promptImportance(argv: ImportanceArguments): Promise<Found> {
  const note = createNote(argv);
  const { loaded, prompts } = await loadPrompts(argv);
  const { task } = loaded;
  const bare = await promptVictim(loaded, note);
  const settings = {
    kind: 'importance',
    task: task.signature,
    prompts: prompts.map(({ prompt }) => prompt),
    victim: bare.signature,
    version: version(),
  };
  const run = await openRunFolder(loaded.workDir, settings, argv.resume === true, note, { isFree: bare.isFree });
  const victim = cachedVictim(bare, run.store, newCounters());
  const judge: Judge = async (asked, options) => {
    const verdicts = [];
    for (const prompt of asked) {
      const { score } = await evaluatePrompt(prompt, task, victim, options);
      verdicts.push({ score: 1 - score, reached: score === 0 });
    }
    return verdicts;
  };
  const progress = startProgress({ unit: 'prompts', quiet: argv.quiet });
  const items: Found['items'][number][] = [];
  try {
    for (const { prompt } of prompts) {
      items.push(await importanceByDeletion(prompt, judge, { signal: interruptSignal }));
      progress.onProgress(items.length, prompts.length);
    }
    const found = { items, model: bare.name };
    await keepImportance(run, found);
    return found;
  } finally {
    progress.stop();
    run.close();
    await victim.close?.();
  }
}

/** The most that it may cost: a query is a pass over the data. */
export async function estimatePromptImportance(argv: ImportanceArguments): Promise<ImportanceEstimate> {
  const { loaded, prompts } = await loadPrompts(argv);
  const queries = prompts.reduce((sum, { prompt }) => sum + importanceQueries(prompt), 0);
  return { texts: prompts.length, queries, calls: queries * loaded.task.items.length };
}

async function loadPrompts(argv: ImportanceArguments) {
  const loaded = await loadPromptTask(argv, await readConfig(argv.config));
  const texts = argv.text ?? [];
  const prompts =
    texts.length > 0
      ? texts.map((prompt) => ({ prompt }))
      : await promptsOf(argv, loaded.config, loaded.fromConfig, loaded.presetPrompts, loaded.task.name);
  return { loaded, prompts };
}
