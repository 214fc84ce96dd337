import { z } from 'zod';

import type { Column, ValueColumn } from './columns.js';

/** The schema of the objects that `objectOf` makes of rows: nested at the dots, nothing more. */
export function schemaOf<Row>(columns: readonly Column<Row>[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  const levels = new Map<string, Column<Row>[]>();
  for (const column of columns) {
    const dot = column.name.indexOf('.');
    if (dot === -1) {
      shape[column.name] = leaf(column);
      continue;
    }
    const head = column.name.slice(0, dot);
    const inner = { ...column, name: column.name.slice(dot + 1) };
    const level = levels.get(head);
    if (level === undefined) levels.set(head, [inner]);
    else level.push(inner);
  }
  for (const [head, inner] of levels) {
    const isOptional = inner.every((column) => column.kind !== 'json' && column.optional === true);
    const level = schemaOf(inner).nullable();
    shape[head] = isOptional ? level.optional() : level;
  }
  return z.strictObject(shape);
}

/** The names of the grouping keys are the user's: `extra.NAME` nests like any other. */
export function looseSchemaOf<Row>(columns: readonly Column<Row>[]): z.ZodObject {
  return z.looseObject(schemaOf(columns).shape);
}

function leaf<Row>(column: Column<Row>): z.ZodType {
  if (column.kind === 'json') return column.schema(z).nullable();
  const value = ofKind(column.kind).nullable().describe(column.describe);
  return column.optional === true ? value.optional() : value;
}

function ofKind(kind: ValueColumn<unknown>['kind']): z.ZodType {
  switch (kind) {
    case 'text':
      return z.string();
    case 'count':
      return z.number().int().nonnegative();
    case 'score':
    case 'rate':
    case 'p':
      return z.number().min(0).max(1);
    case 'difference':
      return z.number().min(-1).max(1);
    case 'number':
      return z.number();
    case 'flag':
      return z.boolean();
  }
}
