import { z } from 'zod';

import { RECORD_FIELDS, recordSchema } from './schema.js';

/**
 * What the values of a field of a record are, as far as tables are concerned: the definition in `schema.ts` decides.
 *
 * `references` is the field `ref`: a text or several.
 */
export type FieldKind =
  | { readonly kind: 'text' | 'number' | 'count' | 'object' | 'references' }
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] };

/** The kind of each field of a record, in the order of the schema. */
export const FIELD_KINDS: ReadonlyMap<string, FieldKind> = new Map(
  RECORD_FIELDS.map((field) => [field, kindOf(recordSchema.shape[field])]),
);

function kindOf(type: z.core.$ZodType): FieldKind {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return kindOf(type.unwrap());
  if (type instanceof z.ZodString) return { kind: 'text' };
  if (type instanceof z.ZodNumber) return { kind: type.format === 'safeint' ? 'count' : 'number' };
  if (type instanceof z.ZodEnum) return { kind: 'choice', values: type.options };
  if (type instanceof z.ZodUnion) {
    const literals = type.options.flatMap((one) => (one instanceof z.ZodLiteral ? [...one.values] : []));
    const values = literals.filter((value) => typeof value === 'string' || typeof value === 'number');
    return values.length > 0 ? { kind: 'choice', values } : { kind: 'references' };
  }
  return { kind: 'object' };
}
