// Two scorers for `teapot --custom-scores-source examples/custom-scorers/scorers.mjs`.
//
// A module exports scorers as its default export (one, or an array) or as named exports. A scorer has a key for
// --s-src and --s-tgt, a name for headings, and a function that gives numbers from 0 (nothing kept) to 1 (all kept).

/**
 * The simplest form: one function over two texts. How close the lengths are, in code points: shorter / longer.
 *
 * @type {import('teapot-nlp').ModuleScorer}
 */
export const length = {
  key: 'length',
  name: 'length ratio',
  description: 'shorter length / longer length, in code points',
  scoreSentence(hypothesis, reference) {
    const sizes = [[...hypothesis].length, [...reference].length].sort((left, right) => left - right);
    return sizes[1] === 0 ? 1 : sizes[0] / sizes[1];
  },
};

/**
 * With an option of its own: `--s-src keywords:min_length=5`, or `--s-src keywords --min-length 5`; `teapot -h` shows it
 * when the module is named. The share of the reference's long words that the hypothesis still has.
 *
 * @type {import('teapot-nlp').ModuleScorer}
 */
export const keywords = {
  key: 'keywords',
  name: 'keyword recall',
  description: 'share of the long words of the reference that the hypothesis has',
  options: {
    min_length: { type: 'integer', default: 4, minimum: 1, help: 'letters that make a word count' },
  },
  create({ min_length: minLength }) {
    const words = (text) =>
      (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => [...word].length >= minLength);
    return {
      // Many pairs at once; may be async, for example to ask a server.
      scoreBatch(hypotheses, references) {
        return references.map((reference, index) => {
          const wanted = words(reference);
          if (wanted.length === 0) return 1;
          const found = new Set(words(hypotheses[index]));
          return wanted.filter((word) => found.has(word)).length / wanted.length;
        });
      },
    };
  },
};
