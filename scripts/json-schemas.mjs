// Writes schema/*.json from the built definitions: `npm run build:schema`.
import { mkdirSync, writeFileSync } from 'node:fs';

import { attackSetJsonSchema } from '../dist/report/attack-set-schema.js';
import { recordJsonSchema } from '../dist/record/schema.js';
import { summaryJsonSchema } from '../dist/report/summary-schema.js';
import { attackConfigJsonSchema } from '../dist/task/attack-config.js';

mkdirSync(new URL('../schema/', import.meta.url), { recursive: true });
for (const [name, schema] of [
  ['attack-set-2.json', attackSetJsonSchema()],
  ['record-1.json', recordJsonSchema()],
  ['summary-2.json', summaryJsonSchema()],
  ['attack-config-1.json', attackConfigJsonSchema()],
]) {
  writeFileSync(new URL(`../schema/${name}`, import.meta.url), `${JSON.stringify(schema, undefined, 2)}\n`);
}
