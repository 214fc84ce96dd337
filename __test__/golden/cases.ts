/** A number inside of [0, 1]. */
export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Column of a golden file, the spec that means the same, and how the tool's number becomes a score. */
export type Case = readonly [file: string, column: string, spec: string, toScore: (value: number) => number];

/** A tool's number from 0 to 100 as a score. */
export const percent = (value: number): number => clamp(value / 100);
const similarity = (value: number): number => value;
/** An error rate from 0 to 100 and above as a score. */
export const ofRate = (value: number): number => 1 - Math.min(1, value / 100);

/** Every column of the golden files for single references. */
export const CASES: readonly Case[] = [
  ['chrf', 'chrf', 'chrf', percent],
  ['chrf', 'chrf_pp', 'chrf++', percent],
  ['chrf', 'chrf_pp', 'chrf:word_order=2', percent],
  ['chrf', 'chrf_lc', 'chrf:lowercase=yes', percent],
  ['chrf', 'chrf_ws', 'chrf:whitespace=yes', percent],
  ['chrf', 'chrf_eps', 'chrf:eps=yes', percent],
  ['chrf', 'chrf_b1', 'chrf:beta=1', percent],
  ['chrf', 'chrf_b3', 'chrf:beta=3', percent],
  ['chrf', 'chrf_nc4', 'chrf:char_order=4', percent],
  ['chrf', 'chrf_pp_eps', 'chrf++:eps=on', percent],
  ['bleu', 'bleu_teapot', 'bleu', percent],
  ['bleu', 'bleu_exp', 'bleu:smooth=exp', percent],
  ['bleu', 'bleu_floor', 'bleu:smooth=floor,value=0.1', percent],
  ['bleu', 'bleu_addk1', 'bleu:smooth=add-k', percent],
  ['bleu', 'bleu_nosmooth', 'bleu:smooth=none', percent],
  ['bleu', 'bleu_tok_none', 'bleu:smooth=exp,tokenize=none', percent],
  ['bleu', 'bleu_tok_char', 'bleu:smooth=exp,tokenize=char', percent],
  ['bleu', 'bleu_tok_intl', 'bleu:smooth=exp,tokenize=intl', percent],
  ['bleu', 'bleu_tok_zh', 'bleu:smooth=exp,tokenize=zh', percent],
  ['bleu', 'bleu_lc', 'bleu:smooth=exp,lowercase=yes', percent],
  ['ter', 'ter', 'ter', ofRate],
  ['ter', 'ter_norm', 'ter:normalized=yes', ofRate],
  ['ter', 'ter_nopunct', 'ter:no_punct=yes', ofRate],
  ['ter', 'ter_case', 'ter:case_sensitive=yes', ofRate],
  ['ter', 'ter_asian', 'ter:normalized=yes,asian_support=yes', ofRate],
  ['ter', 'ter_asian_nopunct', 'ter:normalized=yes,asian_support=yes,no_punct=yes', ofRate],
  ['edit', 'lev_sim', 'edit', similarity],
  ['edit', 'osa_sim', 'edit:distance=osa', similarity],
  ['edit', 'indel_sim', 'edit:distance=indel', similarity],
  ['edit', 'jaro_winkler', 'edit:distance=jaro_winkler', similarity],
  ['edit', 'word_lev_sim', 'edit:unit=word', similarity],
  ['teapot-scorers', 'chrf', 'chrf', clamp],
  ['teapot-scorers', 'bleu', 'bleu', clamp],
  ['teapot-scorers', 'exact_match', 'exact_match:strip=no', clamp],
];

/** Every column of `multiref.json`: hypotheses with two references each. */
export const MULTIREF_CASES: readonly (readonly [column: string, spec: string, toScore: (value: number) => number])[] =
  [
    ['chrf', 'chrf', percent],
    ['chrf_pp', 'chrf++', percent],
    ['chrf_eps', 'chrf:eps=yes', percent],
    ['bleu_teapot', 'bleu', percent],
    ['bleu_exp', 'bleu:smooth=exp', percent],
    ['bleu_nosmooth', 'bleu:smooth=none', percent],
    ['bleu_addk1', 'bleu:smooth=add-k,value=1', percent],
    ['ter', 'ter', ofRate],
  ];

/** A row of `teapot-scorers.json`. */
export interface F1Row {
  readonly hyp: string;
  readonly ref: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The f1 of a row: a blank side is 0, two are 1, where teapot-nlp's example divides by zero. */
export function expectedF1({ hyp, ref, values }: F1Row): number {
  const value = values['f1'];
  return typeof value === 'number' ? value : Number(isBlank(hyp) && isBlank(ref));
}

/** Whether a text has nothing but whitespace: Python's set, which has U+001C to U+001F and U+0085 but not U+FEFF. */
function isBlank(text: string): boolean {
  return [...text].every(
    (letter) => letter !== '\uFEFF' && (/\s/.test(letter) || '\x1C\x1D\x1E\x1F\x85'.includes(letter)),
  );
}
