import { z } from 'zod';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { NO_VALUE } from '../../record/grouping.js';
import { formatFixed } from '../../number-format.js';
import type { FigureData } from '../../report/figures/figure-data.js';
import type { Grid, GridColumn } from '../../report/grid.js';
import type {
  ImportanceItem,
  KeyNumber,
  ReportBlock,
  ReportData,
  ReportSection,
} from '../../report/html/report-data.js';
import { shortLabel } from '../../report/html/visible-text.js';
import { decimal, percent } from './phrases.js';
import { summarySchema, type SummaryDocument } from '../../report/summary-schema.js';
import { attackSetSchema } from '../../report/attack-set-schema.js';

/** What a page says of one document. */
export type DocumentReport = Pick<ReportData, 'title' | 'story' | 'keyNumbers' | 'sections' | 'signatures'>;

const number = z.number().nullable();
const interval = z.looseObject({ low: z.number(), high: z.number() }).nullable();

const pdrSchema = z.looseObject({
  by: z.array(z.string()).optional(),
  signature: z.string(),
  cells: z.array(
    z.looseObject({
      n: z.number(),
      mean: number,
      std: number,
      interval,
      micro_pdr: number,
      median: number,
      negative: z.number(),
    }),
  ),
  all: z.looseObject({ n: z.number(), mean: number, interval, micro_pdr: number, negative: z.number() }),
});

const importanceSchema = z.looseObject({
  model: z.string(),
  items: z.array(
    z.union([
      z.looseObject({ text: z.string(), error: z.string() }),
      z.looseObject({
        text: z.string(),
        output: z.string().nullable(),
        score: z.number(),
        words: z.array(z.looseObject({ word: z.string(), start: z.number(), end: z.number(), importance: number })),
      }),
    ]),
  ),
});

const named = z.looseObject({
  group: z.record(z.string(), z.string().nullable()).optional(),
  summary: summarySchema,
});

const resultSchema = z.looseObject({
  by: z.array(z.string()),
  groups: z.array(named),
  all: named.nullable(),
  totals: z.array(named).optional(),
});

type Reader = (value: unknown, name: string) => DocumentReport;

const READERS: Readonly<Record<string, Reader>> = {
  'teapot.summary/2': (value) => summaryReport(summarySchema.parse(value)),
  'teapot.attack-set/2': (value) => attackSetReport(attackSetSchema.parse(value)),
  'teapot.result/1': (value) => resultReport(resultSchema.parse(value)),
  'teapot.pdr/2': (value) => pdrReport(pdrSchema.parse(value), undefined),
  'teapot.transfer/2': (value) => pdrReport(pdrSchema.parse(value), ['attack', 'source_model', 'model']),
  'teapot.importance/1': (value) => importanceReport(importanceSchema.parse(value)),
};

/** The schemas of documents that a report takes. */
export const DOCUMENT_SCHEMAS: readonly string[] = Object.keys(READERS);

/**
 * What a page says of a JSON document that another command wrote.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when its schema is another one, or it doesn't keep to it.
 */
export function documentReport(value: unknown, name: string): DocumentReport {
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? String(value.schema) : 'none';
  const reader = READERS[schema];
  if (reader === undefined) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${name}: schema ${schema}: a report takes records and ${DOCUMENT_SCHEMAS.join(', ')}.`,
    );
  }
  try {
    return reader(value, name);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const issue = cause.issues[0];
    const path = issue === undefined ? '$' : ['$', ...issue.path.map(String)].join('.');
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: ${path}: ${issue?.message ?? 'not as expected'} (${schema}).`, {
      cause,
    });
  }
}

const QUANTITIES = ['s_src', 's_tgt_base', 's_tgt_attacked', 'd_tgt', 's_tgt'] as const;

function summaryReport(document: SummaryDocument): DocumentReport {
  const names = document.inputs.filter(({ role }) => role === 'adv_src' || role === 'data').map((input) => input.name);
  const { n, success_rate: rate } = document;
  const lead =
    rate === null
      ? `${n} lines: ${QUANTITIES.flatMap((name) => (document[name] === null ? [] : [`mean ${name} ${decimal(document[name].mean)}`])).join(', ')}.`
      : `${document.successes} of ${n} attacked lines are successful: a success rate of ${percent(rate)}${between(document.success_rate_interval)}.`;
  return {
    title: names.map((name) => name.slice(name.lastIndexOf('/') + 1)).join(', ') || 'Summary',
    story: [lead],
    keyNumbers: summaryNumbers(document),
    sections: [
      {
        id: 'summary',
        title: 'Summary',
        intro: 'Scores are fractions: 1 is a perfect one.',
        blocks: [{ kind: 'grid', grid: statisticsGrid([{ name: '', document }]) }],
      },
      { id: 'figures', title: 'Figures', blocks: summaryFigures([{ name: 'all lines', document }]) },
      { id: 'inputs', title: 'Inputs', blocks: [{ kind: 'grid', grid: inputsGrid(document) }] },
    ],
    signatures: [document.signature],
  };
}

function summaryNumbers(document: SummaryDocument): KeyNumber[] {
  const numbers: KeyNumber[] = [];
  if (document.success_rate !== null) {
    numbers.push({
      name: 'success_rate',
      label: 'success rate',
      value: document.success_rate,
      text: percent(document.success_rate),
      detail: `${document.successes} of ${document.n}${between(document.success_rate_interval)}`,
    });
  }
  for (const name of QUANTITIES) {
    const statistics = document[name];
    if (statistics === null) continue;
    const std = statistics.std === null ? '' : ` · std ${decimal(statistics.std)}`;
    numbers.push({
      name,
      label: name,
      value: statistics.mean,
      text: decimal(statistics.mean),
      detail: `mean of ${statistics.n}${std}`,
    });
  }
  if (document.micro_pdr !== null) {
    numbers.push({
      name: 'micro_pdr',
      label: 'micro PDR',
      value: document.micro_pdr,
      text: formatFixed(document.micro_pdr, 3),
      detail: '1 − Σ attacked ÷ Σ original',
    });
  }
  numbers.push({
    name: 'undefined',
    label: 'undefined',
    value: document.undefined.count,
    text: String(document.undefined.count),
    detail:
      Object.entries(document.undefined.reasons)
        .map(([reason, count]) => `${count}: ${reason}`)
        .join(', ') || 'every line is defined',
  });
  return numbers;
}

/** Records by group: the summary of all of them, with the groups in its tables and charts. */
function resultReport({ by, groups, all, totals = [] }: z.infer<typeof resultSchema>): DocumentReport {
  const documents = groups.map(({ group = {}, summary }) => ({
    name: by.map((key) => group[key] ?? NO_VALUE).join(', '),
    document: summary,
  }));
  // Under several metrics each has a row of its own for all segments.
  const every =
    all === null
      ? totals.map(({ group = {}, summary }) => ({
          name: ['all', ...Object.values(group)].join(', '),
          document: summary,
        }))
      : [{ name: 'all', document: all.summary }];
  const [whole] = [...every, ...documents];
  if (whole === undefined) throw new z.ZodError([]);
  const own = summaryReport(whole.document);
  if (documents.length < 2) return own;
  const rates: Grid = {
    title: `Success by ${by.join(', ')}`,
    columns: [{ name: by.join(', ') }, ...['n', 'successes', 'rate', 'interval'].map(rightColumn)],
    rows: [...documents, ...every].map(({ name, document }) => [
      name,
      String(document.n),
      document.successes === null ? '–' : String(document.successes),
      document.success_rate === null ? '–' : percent(document.success_rate),
      document.success_rate_interval === null
        ? ''
        : `${percent(document.success_rate_interval.low)} to ${percent(document.success_rate_interval.high)}`,
    ]),
  };
  if (all === null) return metricSetReport(own, [...documents, ...every], rates);
  return {
    ...own,
    title:
      documents.length === 2
        ? documents.map(({ name }) => shortLabel(name, 60)).join(' and ')
        : `${documents.length} groups`,
    sections: own.sections.map((section) => {
      if (section.id === 'summary') {
        return Object.assign({}, section, {
          blocks: [
            { kind: 'grid', grid: rates },
            { kind: 'grid', grid: statisticsGrid([...documents, ...every]) },
          ] satisfies ReportBlock[],
        });
      }
      return section;
    }),
  };
}

/** The page of several metrics: their figures one by one, since their scores are of different kinds. */
function metricSetReport(own: DocumentReport, documents: readonly Named[], rates: Grid): DocumentReport {
  const blocks: Readonly<Record<string, readonly ReportBlock[]>> = {
    summary: [
      { kind: 'grid', grid: rates },
      { kind: 'grid', grid: statisticsGrid(documents) },
    ],
    figures: summaryFigures(documents),
  };
  return {
    ...own,
    story: documents.map(
      ({ name, document }) =>
        `${name}: ${
          document.success_rate === null ? `${document.n} lines` : `success rate ${percent(document.success_rate)}`
        }.`,
    ),
    keyNumbers: [],
    sections: own.sections.map((section) => ({ ...section, blocks: [...(blocks[section.id] ?? section.blocks)] })),
    signatures: [...new Set(documents.map(({ document }) => document.signature))],
  };
}

function rightColumn(name: string): GridColumn {
  return { name, align: 'right' };
}

interface Named {
  readonly name: string;
  readonly document: SummaryDocument;
}

function statisticsGrid(documents: readonly Named[]): Grid {
  const rows = documents.flatMap(({ name, document }) =>
    QUANTITIES.flatMap((quantity) => {
      const statistics = document[quantity];
      if (statistics === null) return [];
      const { mean, std, p5, p95, interval: bounds } = statistics;
      const interval_ = bounds === null ? '' : `${decimal(bounds.low)} to ${decimal(bounds.high)}`;
      return [
        [
          ...(documents.length > 1 ? [name] : []),
          quantity,
          decimal(mean),
          interval_,
          std === null ? '–' : decimal(std),
          decimal(p5),
          decimal(p95),
        ],
      ];
    }),
  );
  const numbers = ['mean', 'interval', 'std', '5 %', '95 %'].map((name) => ({ name, align: 'right' as const }));
  return { columns: [...(documents.length > 1 ? [{ name: '' }] : []), { name: 'quantity' }, ...numbers], rows };
}

function summaryFigures(documents: readonly Named[]): ReportBlock[] {
  const blocks: ReportBlock[] = [];
  const swept = documents.flatMap(({ name, document: { threshold_sweep: sweep, n, success_threshold: threshold } }) =>
    sweep === null
      ? []
      : [
          {
            threshold,
            series: {
              name,
              n,
              points: sweep.thresholds.map((x, index) => ({ x, y: sweep.success_rates[index] ?? 0 })),
            },
          },
        ],
  );
  const [first] = swept;
  if (first !== undefined) {
    const data: FigureData = {
      kind: 'threshold',
      threshold: first.threshold,
      series: swept.slice(0, 6).map(({ series }) => series),
    };
    blocks.push({
      kind: 'figure',
      data,
      narrow: true,
      caption: 'What share of the lines is successful when the threshold is another one.',
    });
  }
  for (const { name, document } of documents) {
    const quantities = (['s_src', 'd_tgt', 's_tgt'] as const).flatMap((quantity) => {
      const statistics = document[quantity];
      return statistics === null ? [] : [{ name: quantity, n: statistics.n, counts: statistics.histogram }];
    });
    if (quantities.length === 0) continue;
    const which = documents.length > 1 ? `${name}: how` : 'How';
    blocks.push({
      kind: 'figure',
      data: { kind: 'histogram', quantities },
      caption: `${which} the scores are distributed, in twentieths.`,
    });
  }
  return blocks;
}

function inputsGrid({ inputs }: SummaryDocument): Grid {
  return {
    columns: [{ name: 'role' }, { name: 'file' }, { name: 'lines', align: 'right' }, { name: 'SHA-256' }],
    rows: inputs.map(({ role, name, lines, sha256 }) => [role, name, String(lines), sha256]),
  };
}

function attackSetReport({ attacks, comparisons }: z.infer<typeof attackSetSchema>): DocumentReport {
  const documents = attacks.map(({ name, summary }) => ({ name, document: summary }));
  const rates = documents.flatMap(({ name, document: { success_rate: rate } }) =>
    rate === null ? [] : [{ name, rate }],
  );
  const best = rates.toSorted((a, b) => b.rate - a.rate)[0];
  const tests: Grid = {
    title: 'Success, pair by pair (McNemar, corrected by Holm)',
    columns: [
      { name: 'first' },
      { name: 'second' },
      ...['first only', 'second only', 'p'].map((name) => ({ name, align: 'right' as const })),
    ],
    rows: comparisons.flatMap(({ first, second, success }) =>
      success === null
        ? []
        : [
            [
              first,
              second,
              String(success.first_only),
              String(success.second_only),
              formatFixed(success.mcnemar_p_holm, 4),
            ],
          ],
    ),
  };
  return {
    title: `${attacks.length} attacks on the same lines`,
    story: [
      best === undefined
        ? `${attacks.length} attacks on the same lines.`
        : `${best.name} has the highest success rate of ${attacks.length} attacks: ${percent(best.rate)}.`,
    ],
    keyNumbers: rates.map(({ name, rate }) => ({
      name: `success_rate-${name.replaceAll(/[^\w-]/gu, '_')}`,
      label: shortLabel(name, 40),
      value: rate,
      text: percent(rate),
      detail: 'success rate',
    })),
    sections: [
      {
        id: 'summary',
        title: 'Summary',
        blocks: [
          { kind: 'grid', grid: statisticsGrid(documents) },
          ...(tests.rows.length === 0 ? [] : [{ kind: 'grid' as const, grid: tests }]),
        ],
      },
      { id: 'figures', title: 'Figures', blocks: summaryFigures(documents) },
    ],
    signatures: [...new Set(documents.map(({ document }) => document.signature))],
  };
}

function pdrReport(
  { by, cells, all, signature }: z.infer<typeof pdrSchema>,
  fixedKeys: readonly string[] | undefined,
): DocumentReport {
  const keys = fixedKeys ?? by ?? [];
  const groupOf = (cell: Readonly<Record<string, unknown>>): string[] =>
    keys.map((key) => (typeof cell[key] === 'string' ? cell[key] : NO_VALUE));
  const blocks: ReportBlock[] = [];
  if (keys.length >= 2) {
    const named = cells.map((cell) => {
      const group = groupOf(cell);
      return {
        row: group.slice(0, -1).join(' · '),
        column: group.at(-1) ?? '',
        mean: cell.mean,
        std: cell.std,
        interval: cell.interval,
        n: cell.n,
      };
    });
    const data: FigureData = {
      kind: 'pdr-heatmap',
      rowKey: keys.slice(0, -1).join(' · '),
      columnKey: keys.at(-1) ?? '',
      rows: [...new Set(named.map(({ row }) => row))].slice(0, 60),
      columns: [...new Set(named.map(({ column }) => column))].slice(0, 20),
      cells: named,
    };
    blocks.push({
      kind: 'figure',
      data,
      caption: `Mean PDR by ${keys.join(', ')}; 0 is no loss, 1 a total one, below 0 the attack helped (its own colour).`,
    });
  }
  const numbers = ['n', 'mean', 'interval', 'std', 'micro', 'median', 'negative'];
  blocks.push({
    kind: 'grid',
    grid: {
      columns: [...keys.map((name) => ({ name })), ...numbers.map((name) => ({ name, align: 'right' as const }))],
      rows: cells.map((cell) => [
        ...groupOf(cell),
        String(cell.n),
        rate(cell.mean),
        cell.interval === null ? '–' : `${rate(cell.interval.low)} to ${rate(cell.interval.high)}`,
        rate(cell.std),
        rate(cell.micro_pdr),
        rate(cell.median),
        String(cell.negative),
      ]),
    },
  });
  const bounds = all.interval === null ? '' : ` (interval ${rate(all.interval.low)} to ${rate(all.interval.high)})`;
  return {
    title: 'Performance drop rates',
    story: [
      `The mean performance drop rate of ${all.n} attacks is ${rate(all.mean)}${bounds}; ${all.negative} of them helped.`,
    ],
    keyNumbers: [
      {
        name: 'pdr',
        label: 'performance drop rate',
        value: all.mean,
        text: rate(all.mean),
        detail: `mean of ${all.n}`,
      },
      {
        name: 'micro_pdr',
        label: 'micro PDR',
        value: all.micro_pdr,
        text: rate(all.micro_pdr),
        detail: '1 − Σ attacked ÷ Σ original',
      },
      { name: 'n', label: 'attacks', value: all.n, text: String(all.n), detail: 'with a drop rate' },
    ],
    sections: [{ id: 'pdr', title: 'Performance drop', blocks }],
    signatures: [signature],
  };
}

/** Words of one text that a chart shows, the most important ones. */
const CHART_WORDS = 40;

/** What a page says about the importance of words. */
export function importanceReport({ model, items }: z.infer<typeof importanceSchema>): DocumentReport {
  const shown = items.flatMap((item): ImportanceItem[] => {
    if ('error' in item || !('words' in item)) return [];
    const { words, text, output, score: value } = item as Extract<(typeof items)[number], { readonly words: unknown }>;
    const strongest = words
      .map((word, index) => ({ ...word, index }))
      .toSorted((a, b) => Math.abs(b.importance ?? 0) - Math.abs(a.importance ?? 0))
      .slice(0, CHART_WORDS)
      .toSorted((a, b) => a.index - b.index);
    return [
      {
        title:
          output === null ? `score ${formatFixed(value, 3)}` : `${shortLabel(output, 80)} · ${formatFixed(value, 3)}`,
        text,
        words,
        figure: {
          kind: 'figure',
          data: { kind: 'importance', words: strongest.map(({ word, importance }) => ({ word, importance })) },
          caption: 'How much the score of the answer falls when the word is removed.',
          narrow: true,
        },
      },
    ];
  });
  const failed = items.length - shown.length;
  const section: ReportSection = {
    id: 'importance',
    title: 'Importance of words',
    intro:
      'Words that speak for the answer are marked in the colour of the bars to the right, words against it in that of the bars to the left; the stronger, the more.',
    blocks: shown.length === 0 ? [] : [{ kind: 'words', items: shown }],
  };
  return {
    title: 'Importance of words',
    story: [
      `Which words of ${shown.length} texts the answers of ${shortLabel(model, 60)} depend on.${failed > 0 ? ` ${failed} texts had no answer.` : ''}`,
    ],
    keyNumbers: [],
    sections: [section],
    signatures: [],
  };
}

function rate(value: number | null): string {
  return value === null ? '–' : formatFixed(value, 3);
}

function between(bounds: { readonly low: number; readonly high: number } | null): string {
  return bounds === null ? '' : ` (interval ${percent(bounds.low)} to ${percent(bounds.high)})`;
}
