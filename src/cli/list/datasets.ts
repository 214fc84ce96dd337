import { PRESETS } from '../../task/presets/index.js';
import type { Preset } from '../../task/presets/preset.js';

/** `teapot list datasets`: what `--dataset` may be, what is asked, and which files are read. */
export function listDatasets(format: 'text' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(PRESETS.map(plain), undefined, 2)}\n`;
  const blocks = PRESETS.map(
    ({ name, aliases = [], description, files, metric, labels }) =>
      `${[name, ...aliases].join(', ')}: ${description}\n    reads ${files}\n` +
      `    ${metric}${labels === undefined ? '' : ` of ${[...new Set(labels.values())].join(', ')}`}\n`,
  );
  return ['Data sets for --dataset; --data names the file\n\n', ...blocks].join('');
}

function plain({ name, aliases = [], description, files, metric, labels, taskPrompts, rolePrompts }: Preset): object {
  return {
    name,
    aliases,
    description,
    files,
    metric,
    labels: labels === undefined ? null : [...new Set(labels.values())],
    generated: files.startsWith('none needed'),
    prompts: taskPrompts.length + rolePrompts.length,
  };
}
