// Corpora for the benches, the same bytes on every machine: real talk sentences where ../shared is present, otherwise
// sentences drawn from a small vocabulary with the same length (about 110 characters).
import { existsSync, mkdirSync, readFileSync, writeFileSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

const WORDS =
  'the a of to and in that we is it you for this with are on they be have what people think because when there would about one all can time which like know from just world their how see make water tea leaf morning garden market story small green warm quiet answer question letter window never always between across again'.split(
    ' ',
  );

/** A small seeded generator (mulberry32): the benches need the same bytes everywhere, not good randomness. */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function sentence(random, length) {
  let text = '';
  while (text.length < length) text += (text === '' ? '' : ' ') + WORDS[Math.floor(random() * WORDS.length)];
  return `${text[0].toUpperCase()}${text.slice(1, length)}.`;
}

/** One swap of neighbouring inner characters in about every third word. */
export function swapCharacters(random, text) {
  return text.replace(/\p{L}{4,}/gu, (word) => {
    if (random() > 0.35) return word;
    const at = 1 + Math.floor(random() * (word.length - 3));
    return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  });
}

function editOnce(random, text) {
  const at = Math.floor(random() * text.length);
  return `${text.slice(0, at)}x${text.slice(at + 1)}`;
}

function rewriteWords(random, text) {
  return text.replace(/\p{L}+/gu, (word) => (random() > 0.5 ? WORDS[Math.floor(random() * WORDS.length)] : word));
}

/** Writes the corpora of 1,000 segments into `folder` and returns the files of each. */
export function makeCorpora(folder, shared) {
  mkdirSync(folder, { recursive: true });
  const random = generator(12345);
  const write = (name, lines) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const real = join(shared, 'data', 'teapot', 'MT');
  let corpus;
  if (existsSync(real)) {
    const at = (name) => join(real, name);
    corpus = {
      source: 'talk sentences',
      src: at('src.fr'),
      advSrc: at('adv.charswap.fr'),
      out: at('base.en'),
      advOut: at('adv.charswap.en'),
      ref: at('ref.en'),
    };
  } else {
    const src = Array.from({ length: 1000 }, () => sentence(random, 60 + Math.floor(random() * 100)));
    const ref = Array.from({ length: 1000 }, () => sentence(random, 60 + Math.floor(random() * 100)));
    const out = ref.map((text) => rewriteWords(random, text));
    corpus = {
      source: 'generated sentences',
      src: write('src', src),
      advSrc: write(
        'adv-src',
        src.map((text) => swapCharacters(random, text)),
      ),
      out: write('out', out),
      advOut: write(
        'adv-out',
        out.map((text) => rewriteWords(random, text)),
      ),
      ref: write('ref', ref),
    };
  }
  const src = readFileSync(corpus.src, 'utf8').trimEnd().split('\n');
  corpus.oneEdit = write(
    'one-edit',
    src.map((text) => editOnce(random, text)),
  );
  corpus.lengths = {};
  for (const length of [10, 100, 1000, 10_000]) {
    const count = Math.max(20, Math.min(1000, 200_000 / length));
    const a = Array.from({ length: count }, () => sentence(random, length));
    corpus.lengths[length] = {
      text: write(`length-${length}`, a),
      similar: write(
        `length-${length}-similar`,
        a.map((text) => editOnce(random, editOnce(random, text))),
      ),
      unlike: write(
        `length-${length}-unlike`,
        a.map(() => sentence(random, length)),
      ),
    };
  }
  return corpus;
}

/** Repeats a corpus of five files to `lines` lines each, numbering the lines so that none equals another. */
export async function makeLarge(folder, corpus, lines) {
  mkdirSync(folder, { recursive: true });
  const files = {};
  for (const key of ['src', 'advSrc', 'out', 'advOut', 'ref']) {
    const path = join(folder, `${key}-${lines}`);
    files[key] = path;
    if (existsSync(path)) continue;
    const texts = readFileSync(corpus[key], 'utf8').trimEnd().split('\n');
    const stream = createWriteStream(`${path}.part`);
    for (let line = 0; line < lines;) {
      let block = '';
      for (const end = Math.min(lines, line + 5000); line < end; line += 1)
        block += `${texts[line % texts.length]} ${line}\n`;
      if (!stream.write(block)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'finish');
    const { renameSync } = await import('node:fs');
    renameSync(`${path}.part`, path);
  }
  return files;
}
