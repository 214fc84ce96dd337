/** Names that tables give the columns of each field, likeliest first; in lower case, with `_` between words. */
const NAMES: readonly (readonly [field: string, names: readonly string[]])[] = [
  [
    'adv_src',
    [
      'perturbed_text',
      'attacked_text',
      'adversarial_text',
      'perturbed',
      'attacked',
      'adversarial',
      'adv_text',
      'test_case',
      'adv_sentence',
      'perturbed_sentence',
      'attacked_prompt',
      'adversarial_example',
      'adv',
    ],
  ],
  [
    'src',
    [
      'original_text',
      'clean_text',
      'original',
      'clean',
      'source',
      'src_text',
      'sentence',
      'text',
      'input',
      'prompt',
      'question',
      'original_prompt',
    ],
  ],
  [
    'adv_out',
    [
      'perturbed_output',
      'attacked_output',
      'adv_output',
      'adversarial_output',
      'perturbed_prediction',
      'attacked_prediction',
      'adv_pred',
      'adv_prediction',
      'actual_result',
    ],
  ],
  [
    'out',
    ['original_output', 'clean_output', 'original_prediction', 'prediction', 'pred', 'output', 'expected_result'],
  ],
  ['ref', ['label', 'gold', 'target', 'reference', 'ground_truth', 'gold_label', 'answer']],
  ['attack', ['attack_name', 'attack_type', 'test_type', 'method', 'perturbation', 'transformation', 'recipe']],
  ['model', ['model_name', 'system', 'victim']],
  ['dataset', ['dataset_name', 'task']],
  ['result', ['success', 'is_successful', 'outcome', 'result_type']],
  ['id', ['idx', 'index', 'example_id', 'doc_id', 'item_id', 'uid']],
];

/**
 * Guesses which columns of a table are which fields of a record, by their names.
 *
 * @param columns The header of the table.
 * @returns The option `columns`, such as `src=sentence,adv_src=attacked,ref=label`; undefined when there is no text before
 *   or under attack among them.
 */
export function guessColumns(columns: readonly string[]): string | undefined {
  const known = columns.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s.-]+/gu, '_'),
  );
  const taken = new Set<number>();
  const found = new Map<string, string>();
  for (const [field, names] of NAMES) {
    const index = [field, ...names].map((name) => known.indexOf(name)).find((place) => place >= 0 && !taken.has(place));
    if (index === undefined) continue;
    taken.add(index);
    found.set(field, columns[index] ?? '');
  }
  if (!found.has('src') && !found.has('adv_src')) return undefined;
  const order = ['id', 'attack', 'model', 'dataset', 'src', 'adv_src', 'out', 'adv_out', 'ref', 'result'];
  return order.flatMap((field) => (found.has(field) ? [`${field}=${found.get(field)}`] : [])).join(',');
}
