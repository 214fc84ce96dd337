import { formatFixed } from '../../number-format.js';

/** A share as sentences and tables say it: `65.2 %`. */
export function percent(value: number, decimals = 1): string {
  return `${formatFixed(value * 100, decimals)} %`;
}

/** A score with three decimals. */
export function decimal(value: number): string {
  return formatFixed(value, 3);
}

/** A whole number with its thousands apart. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, '\u202f');
}

/** A number and what is counted, in the number that fits: `1 record`, `2 records`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}
