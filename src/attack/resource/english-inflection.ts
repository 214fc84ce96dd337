/** Parts of speech of WordNet. */
export const PARTS = ['noun', 'verb', 'adj', 'adv'] as const;

/** One of {@link PARTS}. */
export type Part = (typeof PARTS)[number];

/** Endings of inflected forms and what stands there in the base form (WordNet's morphy(7WN)). */
const ENDINGS: Readonly<Record<Part, readonly (readonly [inflected: string, base: string])[]>> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['ves', 'f'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adj: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adv: [],
};

/**
 * Irregular forms: the base form, then what is made of it. The package with WordNet's files has no exception lists (`verb.exc`
 * and so on), and rules alone don't lead from "went" to "go".
 */
const IRREGULAR: Readonly<Record<Part, string>> = {
  noun: `man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice|louse lice|ox oxen|die dice
    |life lives|wife wives|knife knives|shelf shelves|half halves|leaf leaves|thief thieves|loaf loaves|crisis crises|thesis theses
    |analysis analyses|basis bases|hypothesis hypotheses|phenomenon phenomena|criterion criteria|datum data|medium media
    |stimulus stimuli|cliche cliches`,
  verb: `be is are am was were been being|have has had having|do does did done|go goes went gone|say said|make made making
    |know knew known|take took taken|see saw seen|come came coming|think thought|look looked|give gave given|find found|tell told
    |become became|show shown|leave left|feel felt|put putting|bring brought|begin began begun beginning|keep kept|hold held
    |write wrote written|stand stood|hear heard|let letting|mean meant|set setting|meet met|run ran running|pay paid|sit sat sitting
    |speak spoke spoken|lie lay lain lying|lead led|read reading|grow grew grown|lose lost|fall fell fallen|send sent|build built
    |understand understood|draw drew drawn|break broke broken|spend spent|cut cutting|rise rose risen|drive drove driven|buy bought
    |wear wore worn|choose chose chosen|seek sought|throw threw thrown|catch caught|deal dealt|win won winning|forget forgot forgotten
    |lay laid|sell sold|fight fought|bear bore borne born|teach taught|eat ate eaten|sing sang sung|strike struck stricken
    |hang hung|shake shook shaken|ride rode ridden|feed fed|shoot shot|drink drank drunk|hit hitting|arise arose arisen|fly flew flown
    |spread spreading|sleep slept|cost costing|beat beaten|light lit|bind bound|cast casting|hide hid hidden|swing swung
    |steal stole stolen|blow blew blown|swim swam swum swimming|bend bent|wake woke woken|stick stuck|sweep swept|quit quitting
    |tear tore torn|freeze froze frozen|wind wound|weep wept|sink sank sunk|spin spun|swear swore sworn|bite bit bitten|dig dug
    |ring rang rung|shine shone|shrink shrank shrunk|slide slid|split splitting|sting stung|stink stank stunk|weave wove woven
    |withdraw withdrew withdrawn|overcome overcame|undergo underwent undergone|forgive forgave forgiven|dwell dwelt|cling clung
    |creep crept|flee fled|grind ground|kneel knelt|leap leapt|lend lent|spring sprang sprung|stride strode|string strung
    |burst bursting|hurt hurting|shut shutting|bet betting|bid bidding|get got gotten getting|die dying|tie tying`,
  adj: `good better best|bad worse worst|far farther farthest further furthest|little less least|many more most|funny funnier funniest
    |happy happier happiest|silly sillier silliest|lovely lovelier loveliest|ugly uglier ugliest|easy easier easiest|heavy heavier heaviest
    |early earlier earliest|pretty prettier prettiest|dry drier driest|big bigger biggest|sad sadder saddest|hot hotter hottest
    |thin thinner thinnest|fat fatter fattest|flat flatter flattest`,
  adv: 'well better best|badly worse worst|far farther farthest further furthest|little less least|much more most',
};

const IRREGULAR_BASES: Readonly<Record<Part, ReadonlyMap<string, readonly string[]>>> = {
  noun: basesOf(IRREGULAR.noun),
  verb: basesOf(IRREGULAR.verb),
  adj: basesOf(IRREGULAR.adj),
  adv: basesOf(IRREGULAR.adv),
};

/**
 * The forms of a word that may be its base form as this part of speech: itself, irregular ones, and those that WordNet's rules make. Which of
 * them are words, only a dictionary knows.
 *
 * @param word In small letters.
 * @example possibleBases('went', 'verb'); // ['went', 'go']
 */
export function possibleBases(word: string, part: Part): string[] {
  const regular = ENDINGS[part]
    .filter(([inflected]) => word.endsWith(inflected) && word.length > inflected.length)
    .map(([inflected, base]) => word.slice(0, word.length - inflected.length) + base);
  // "stopped" and "stopping" double a letter.
  const doubled = /^(?<base>.*(?<letter>[bdfglmnprt]))\k<letter>(?:ed|ing)$/u.exec(word)?.groups?.['base'];
  const more = part === 'verb' && doubled !== undefined ? [doubled] : [];
  return [...new Set([word, ...(IRREGULAR_BASES[part].get(word) ?? []), ...regular, ...more])];
}

function basesOf(list: string): ReadonlyMap<string, readonly string[]> {
  const bases = new Map<string, string[]>();
  for (const entry of list.split('|')) {
    const [base = '', ...forms] = entry.trim().split(/\s+/u);
    for (const form of forms) bases.set(form, [...(bases.get(form) ?? []), base]);
  }
  return bases;
}
