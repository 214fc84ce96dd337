// Writes the table of the attacks' settings into docs/attack.md, from the recipes' own data: npm run build:ts, then this.
import { readFileSync, writeFileSync } from 'node:fs';

import { settingsTable } from '../dist/attack/recipe-settings.js';
import { ATTACK_RECIPES } from '../dist/attack/recipes.js';

const page = new URL('../docs/attack.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const table = /<!-- settings -->\n[^]*?<!-- end of settings -->/u;
writeFileSync(
  page,
  text.replace(table, `<!-- settings -->\n\n${settingsTable(ATTACK_RECIPES)}\n<!-- end of settings -->`),
);
