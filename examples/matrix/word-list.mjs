const GOOD = /\b(?:warm|friendly|wonderful|love|great|good|best|delicious|beautiful|kind|happy|excellent)\b/iu;

/** A victim that looks for one good word. */
export const name = 'word list';
export const answer = (text) => (GOOD.test(text) ? 'positive' : 'negative');
