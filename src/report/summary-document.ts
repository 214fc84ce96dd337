import type { Summary } from '../measure/summary.js';
import { objectOf } from './columns.js';
import { SUMMARY_COLUMNS } from './summary-columns.js';
import type { SummaryDocument } from './summary-schema.js';

/** What `schema` says in every summary that teapot writes. */
export const SUMMARY_SCHEMA = 'teapot.summary/2';

/** A summary as the JSON document that `schema/summary-2.json` describes: stable snake_case keys; scores are fractions. */
export function summaryDocument(summary: Summary): SummaryDocument {
  // A test validates every kind of summary against the schema.
  return { schema: SUMMARY_SCHEMA, ...objectOf(SUMMARY_COLUMNS, summary) } as SummaryDocument;
}
