import type { AttackComparison } from '../measure/compare-attacks.js';
import type { Statistics, Summary } from '../measure/summary.js';
import type { AttackSetDocument } from './attack-set-schema.js';
import { reportAttacksCsv } from './csv.js';
import { renderGrids } from './render-grids.js';
import type { Grid } from './grid.js';
import { renderJson } from './json.js';
import { formatFixed, formatP, formatPercent, formatSigned } from '../number-format.js';
import { summaryDocument } from './summary-document.js';
import { reportTerse } from './terse.js';
import type { ReportFormat, ReportOptions } from './reporter.js';

/** Several attacks on one corpus. */
export interface AttackSet {
  /** One summary an attack, in the order they were given. */
  readonly attacks: readonly { readonly name: string; readonly summary: Summary }[];
  /** Every pair of attacks. */
  readonly comparisons: readonly AttackComparison[];
}

/** Shows several attacks in one format: the numbers of each, then the paired tests between them. */
export function reportAttackSet(set: AttackSet, format: ReportFormat, options: ReportOptions): string {
  switch (format) {
    case 'json':
      return renderJson(attackSetDocument(set, options.scale));
    case 'terse':
      return set.attacks.map(({ summary }) => reportTerse(summary, options)).join('');
    case 'csv':
      return reportAttacksCsv(set.attacks, options);
    case 'text':
    case 'markdown':
    case 'latex': {
      const grids = [quantities(set, options.scale), ...comparisons(set, options.scale)];
      const signature = set.attacks[0]?.summary.signature ?? '';
      return renderGrids(grids, format, { signature });
    }
  }
}

/** The document of `--format json`; see `schema/attack-set-1.json`. */
export function attackSetDocument(set: AttackSet, scale: number): AttackSetDocument {
  return {
    schema: 'teapot.attack-set/1',
    attacks: set.attacks.map(({ name, summary }) => ({ name, summary: summaryDocument(summary, scale) })),
    comparisons: set.comparisons.map(({ first, second, means, success }) => ({
      first,
      second,
      means: means.map((mean) => ({
        quantity: mean.quantity,
        difference: mean.difference * scale,
        interval: { low: mean.interval.low * scale, high: mean.interval.high * scale },
        bootstrap_p: mean.bootstrapP,
        bootstrap_p_holm: mean.bootstrapPHolm,
        randomization_p: mean.randomizationP,
        randomization_p_holm: mean.randomizationPHolm,
      })),
      success:
        success === null
          ? null
          : {
              first_only: success.firstOnly,
              second_only: success.secondOnly,
              mcnemar_p: success.p,
              mcnemar_p_holm: success.pHolm,
            },
    })),
  };
}

type Row = readonly [label: string, cell: (summary: Summary) => string | null];

function quantities(set: AttackSet, scale: number): Grid {
  const score = (value: number | null): string => (value === null ? 'n/a' : formatFixed(value * scale, 3));
  const statistics = (label: string, of: (summary: Summary) => Statistics | null): readonly Row[] => [
    [`${label} mean`, (summary) => mapNull(of(summary), ({ mean }) => score(mean))],
    [`${label} std`, (summary) => mapNull(of(summary), ({ std }) => score(std))],
    [`${label} 5%-95%`, (summary) => mapNull(of(summary), ({ p5, p95 }) => `${score(p5)}-${score(p95)}`)],
  ];
  const rows: readonly Row[] = [
    ...statistics('s_src', ({ sSrc }) => sSrc),
    ...statistics('s_tgt base', ({ base }) => base),
    ...statistics('s_tgt attacked', ({ attacked }) => attacked),
    ...statistics('d_tgt', ({ dTgt }) => dTgt),
    ...statistics('s_tgt', ({ sTgt }) => sTgt),
    ['success rate', ({ success }) => mapNull(success, ({ rate }) => formatPercent(rate))],
    ['PDR', ({ pdr }) => mapNull(pdr, formatPercent)],
    ['n', ({ n }) => String(n)],
  ];
  return {
    columns: [{ name: '' }, ...set.attacks.map(({ name }) => ({ name, align: 'right' as const }))],
    rows: rows.flatMap(([label, cell]) => {
      const cells = set.attacks.map(({ summary }) => cell(summary));
      return cells.every((text) => text === null) ? [] : [[label].concat(cells.map((text) => text ?? ''))];
    }),
  };
}

function comparisons(set: AttackSet, scale: number): readonly Grid[] {
  const rows: string[][] = [];
  for (const { first, second, means, success } of set.comparisons) {
    for (const { quantity, difference, interval, bootstrapPHolm, randomizationPHolm } of means) {
      const bounds = `${formatFixed(interval.low * scale, 3)} to ${formatFixed(interval.high * scale, 3)}`;
      const signed = formatSigned(difference * scale, 3);
      rows.push([first, second, quantity, signed, bounds, formatP(bootstrapPHolm), formatP(randomizationPHolm)]);
    }
    if (success !== null) {
      const only = `${success.firstOnly} against ${success.secondOnly}`;
      rows.push([first, second, 'success (McNemar)', only, '', formatP(success.pHolm), '']);
    }
  }
  if (rows.length === 0) return [];
  const names = ['first', 'second', 'quantity', 'first − second', 'interval', 'p', 'p (randomisation)'];
  return [
    {
      title: 'Paired tests over the same lines; p-values corrected for the number of pairs (Holm)',
      columns: names.map((name, column) => ({ name, align: column < 3 ? 'left' : 'right' })),
      rows,
    },
  ];
}

function mapNull<T, R>(value: T | null, map: (value: T) => R): R | null {
  return value === null ? null : map(value);
}
