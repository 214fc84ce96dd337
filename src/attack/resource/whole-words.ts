/**
 * The pieces of a language model's vocabulary that are whole words, by their numbers, the smallest first.
 *
 * Three kinds of vocabulary are told apart by their signs: byte-level pieces (GPT, RoBERTa) begin a word with `Ġ`, sentence pieces
 * with `▁`, both of which are taken off; in all others (BERT) a piece that goes on with a word begins with `##`. Byte-level pieces write letters
 * beyond ASCII as several signs: those are left out.
 *
 * @param model `model` of a `tokenizer.json`.
 * @returns Undefined when it holds no vocabulary.
 */
export function wholeWords(model: unknown): ReadonlyMap<number, string> | undefined {
  const { vocab, continuing_subword_prefix: stated } = Object(model) as Readonly<Record<string, unknown>>;
  if (typeof vocab !== 'object' || vocab === null) return undefined;
  const pieces = piecesOf(vocab);
  const mark = ['Ġ', '▁'].find((sign) => pieces.some(([piece]) => piece.length > 1 && piece.startsWith(sign)));
  const goesOn = typeof stated === 'string' && stated !== '' ? stated : '##';
  const words = pieces.flatMap(([piece, id]): [number, string][] => {
    if (mark === undefined) return piece.startsWith(goesOn) ? [] : [[id, piece]];
    if (!piece.startsWith(mark) || (mark === 'Ġ' && !/^Ġ[\w'-]+$/u.test(piece))) return [];
    return [[id, piece.slice(mark.length)]];
  });
  return new Map(words.toSorted(([left], [right]) => left - right));
}

/** Pieces with their numbers: an object from piece to number, or a list of [piece, likelihood]. */
function piecesOf(vocab: object): (readonly [string, number])[] {
  if (!Array.isArray(vocab)) {
    return Object.entries(vocab).flatMap(([piece, id]) => (typeof id === 'number' ? [[piece, id] as const] : []));
  }
  return vocab.map((entry: unknown, id) => [String(Array.isArray(entry) ? entry[0] : entry), id] as const);
}
