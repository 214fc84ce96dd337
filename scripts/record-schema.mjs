// Writes schema/record-1.json from the built definition: `npm run build:schema` after `npm run build:ts`.
import { mkdirSync, writeFileSync } from 'node:fs';

import { recordJsonSchema } from '../dist/record/schema.js';

mkdirSync(new URL('../schema/', import.meta.url), { recursive: true });
writeFileSync(
  new URL('../schema/record-1.json', import.meta.url),
  `${JSON.stringify(recordJsonSchema(), undefined, 2)}\n`,
);
