import { chooseFormat, TABLE_FORMATS } from '../../report/formats.js';
import { judgeOf } from '../../attack/goal.js';
import { importanceByDeletion, importanceFromScores, importanceQueries } from '../../attack/importance.js';
import type { LoggedScore } from '../../attack/importance.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { readList } from '../../read/list.js';
import { createScorer } from '../../score/registry.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { createVictim } from '../../victim/create-victim.js';
import { endsRun } from '../../victim/victim-error.js';
import { surveyInputs } from '../attack/plan.js';
import { wantsColor } from '../color.js';
import { printResult, withFlags } from '../terminal.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { ImportanceArguments } from '../commands/importance.js';
import { startProgress } from '../progress.js';
import { invalid } from '../values.js';
import { openRunFolder } from '../attack/run-folder.js';
import { version } from '../../version.js';
import { estimatePromptImportance, promptImportance } from './prompts.js';
import { estimateReport, importanceDocument, importanceReport, keepImportance } from './report.js';
import type { Found, ImportanceEstimate, ImportanceItem } from './report.js';

/**
 * Prints which words an answer hangs on: of texts, by asking a victim; or from logged scores, without one.
 *
 * @throws {UsageError} for arguments or files that don't fit; what the victim and the scorer throw.
 */
export async function runImportance(argv: ImportanceArguments): Promise<void> {
  const { format: wanted, output } = argv;
  const format = chooseFormat({ formats: TABLE_FORMATS, format: wanted, output, option: '--output' });
  const isPrompt = (argv.config ?? argv.dataset ?? argv.prompts) !== undefined;
  if (argv.dryRun === true) {
    if (format !== 'text' && format !== 'json') throw invalid(`--dry-run has text or json, not ${format}.`);
    const estimate = isPrompt ? await estimatePromptImportance(argv) : await estimateTexts(argv);
    await printResult(estimateReport(estimate, format), { output, format });
    return;
  }
  const { items, model, unused } =
    argv.scores !== undefined
      ? await logged(argv, argv.scores)
      : isPrompt
        ? await promptImportance(argv)
        : await asked(argv);
  const color = argv.output === undefined && wantsColor(argv);
  const result = { model, items, ...(unused !== undefined && { unused }) };
  const report =
    format === 'html'
      ? await (await import('../report/result-page.js')).documentPage(importanceDocument(result))
      : importanceReport(result, format, color);
  await printResult(report, { output, format, color });
}

async function estimateTexts(argv: ImportanceArguments): Promise<ImportanceEstimate> {
  const texts = argv.text ?? [];
  const estimate = { texts: 0, queries: 0 };
  for await (const { text } of texts.length > 0
    ? texts.map((one) => ({ text: one }))
    : (await surveyInputs(argv)).read()) {
    estimate.texts += 1;
    estimate.queries += importanceQueries(text);
  }
  return { ...estimate, calls: estimate.queries };
}

async function asked(argv: ImportanceArguments): Promise<Found> {
  const note = createNote(argv);
  const texts = argv.text ?? [];
  const inputs = texts.length > 0 ? undefined : await surveyInputs(argv);
  const scorer = argv.sTgt === undefined ? undefined : await createScorer(argv.sTgt);
  const bare = await createVictim(argv.model ?? 'lexicon', {
    labels: inputs?.labels,
    baseUrl: argv.baseUrl,
    onNote: note,
  });
  const settings = {
    kind: 'importance',
    inputs: inputs?.signature ?? texts,
    s_tgt: scorer?.signature ?? null,
    victim: bare.signature,
    version: version(),
  };
  const run = await openRunFolder(argv.workDir, settings, argv.resume === true, note, { isFree: bare.isFree });
  const victim = cachedVictim(bare, run.store, newCounters());
  const goal =
    scorer === undefined ? ({ name: 'untargeted' } as const) : ({ name: 'minimise-metric', scorer } as const);
  const progress = startProgress({ unit: 'texts', quiet: argv.quiet });
  const items: ImportanceItem[] = [];
  try {
    for await (const input of inputs?.read() ?? texts.map((text) => ({ text }))) {
      try {
        items.push(await importanceByDeletion(input.text, judgeOf(input, victim, goal), { signal: interruptSignal }));
      } catch (error) {
        interruptSignal.throwIfAborted();
        if (endsRun(error) || !(error instanceof Error)) throw error;
        items.push({ text: input.text, error: withFlags(error.message) });
      }
      progress.onProgress(items.length, inputs?.count ?? texts.length);
    }
    await keepImportance(run, { items, model: bare.name });
  } finally {
    progress.stop();
    run.close();
    await victim.close?.();
    await scorer?.close?.();
  }
  return { items, model: bare.name };
}

async function logged(argv: ImportanceArguments, file: string): Promise<Found> {
  const scores = await readScores(file);
  const original = argv.text?.[0] ?? scores[0]?.text;
  if (original === undefined) throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${file} holds no scores`);
  const found = importanceFromScores(original, scores);
  if (found === undefined) {
    throw invalid(`${file} has no score of the text itself, ${JSON.stringify(original.slice(0, 60))}: add it`);
  }
  const { unused, ...item } = found;
  if (unused > 0) {
    createNote(argv)(
      `Note: scores left unused: ${unused} (their texts are not the whole text without one of its words).`,
    );
  }
  return { items: [item], model: file, unused };
}

async function readScores(file: string): Promise<LoggedScore[]> {
  const scores: LoggedScore[] = [];
  for await (const batch of readList(file, 'scores', { signal: interruptSignal })) {
    for (const { text: source, line } of batch) {
      if (source.trim() === '') continue;
      const { text, score } = parsed(source);
      if (typeof text !== 'string' || typeof score !== 'number') {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${file}:${line}: found ${JSON.stringify(source.slice(0, 60))}, expected {"text": "…", "score": 0.5}`,
        );
      }
      scores.push({ text, score });
    }
  }
  return scores;
}

function parsed(source: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(source)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
