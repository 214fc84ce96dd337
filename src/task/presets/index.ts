import { ERROR_CODES, UsageError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import { GENERATED_PRESETS } from './generated.js';
import { GLUE_PRESETS } from './glue.js';
import type { Preset } from './preset.js';
import { QUESTION_PRESETS } from './questions.js';
import { TRANSLATION_PRESETS } from './translation.js';

/** Every known data set. */
export const PRESETS: readonly Preset[] = [
  ...GLUE_PRESETS,
  ...QUESTION_PRESETS,
  ...TRANSLATION_PRESETS,
  ...GENERATED_PRESETS,
];

/**
 * The preset of this name or alias, in any case, `-` and `_` alike.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` with the nearest name and all names.
 */
export function findPreset(name: string): Preset {
  const wanted = plain(name);
  const found = PRESETS.find((one) => [one.name, ...(one.aliases ?? [])].some((known) => plain(known) === wanted));
  if (found !== undefined) return found;
  const names = PRESETS.map((one) => one.name);
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `there is no preset "${name}".${didYouMean(name, names)} Known: ${names.join(', ')}. For data of your own leave the preset out`,
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/gu, '');
}
