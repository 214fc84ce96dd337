import { evaluatePrompt } from '../../attack/evaluate-prompt.js';
import { importanceByDeletion } from '../../attack/importance.js';
import type { Judge } from '../../attack/asking.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { memoryStore } from '../../victim/response-cache.js';
import { loadPromptTask, promptsOf, promptVictim, readConfig } from '../attack/plan.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import type { ImportanceArguments } from '../commands/importance.js';
import type { Found } from './report.js';

/**
 * Which words the score of a prompt hangs on: each is left out in turn, and the prompt evaluated on the whole data set.
 *
 * @throws {UsageError} as the task and the prompts say; what the victim throws.
 */
export async function promptImportance(argv: ImportanceArguments): Promise<Found> {
  const note = createNote(argv);
  const loaded = await loadPromptTask(argv, await readConfig(argv.config));
  const { task, config, fromConfig, presetPrompts } = loaded;
  const texts = argv.text ?? [];
  const prompts =
    texts.length > 0 ? texts.map((prompt) => ({ prompt })) : await promptsOf(argv, config, fromConfig, presetPrompts);
  const bare = await promptVictim(loaded, note);
  const victim = cachedVictim(bare, memoryStore(), newCounters());
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
    return { items, model: bare.name };
  } finally {
    progress.stop();
    await victim.close?.();
  }
}
