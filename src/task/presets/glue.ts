import { onlyFile, readGlue } from './files.js';
import type { GlueColumns } from './files.js';
import type { Preset } from './preset.js';

/** What a data set of GLUE is made of; the rest is the same for all. */
interface GlueParts extends Pick<
  Preset,
  'name' | 'aliases' | 'description' | 'files' | 'examples' | 'taskPrompts' | 'rolePrompts'
> {
  /** Column → what stands before its text in the input. */
  readonly captions: Readonly<Record<string, string>>;
  /** How the published file is read; default: a header with the columns and `label`. */
  readonly file?: Omit<GlueColumns, 'fields'>;
  /** What stands in the data → the label. */
  readonly labels: Readonly<Record<string, string>>;
}

function glue({ captions, file, labels, ...parts }: GlueParts): Preset {
  const columns = Object.keys(captions);
  const fields = Object.fromEntries([...columns, 'label'].map((name) => [name, name]));
  const wanted: GlueColumns = { columns: fields, ...file, fields };
  return {
    ...parts,
    content: [...columns.map((name) => `${captions[name] ?? name}: {${name}}`), 'Answer:'].join('\n'),
    answer: 'label',
    labels: new Map(Object.entries(labels)),
    rule: 'cls',
    metric: 'accuracy',
    protect: [],
    read: (paths, run) => readGlue(onlyFile(paths, parts.name), wanted, run),
  };
}

const ENTAILMENT = { entailment: 'entailment', not_entailment: 'not_entailment' };
const EQUIVALENCE = { '0': 'not_equivalent', '1': 'equivalent' };
const PAIR = { sentence1: 'Sentence 1', sentence2: 'Sentence 2' };

/** The eight data sets of GLUE that PromptBench has. */
export const GLUE_PRESETS: readonly Preset[] = [
  glue({
    name: 'sst2',
    aliases: ['sst-2'],
    description: 'Is a sentence of a film review positive or negative?',
    files: "GLUE's SST-2 dev.tsv (sentence, label), or its copy as JSONL or Parquet",
    labels: { '0': 'negative', '1': 'positive' },
    captions: { sentence: 'Sentence' },
    examples: [
      { sentence: 'an hour of my life that i would like to have back', label: '0' },
      { sentence: 'warm , clever and far too short', label: '1' },
      { sentence: 'the jokes arrive late and leave early', label: '0' },
    ],
    taskPrompts: [
      "Tell whether the opinion in this sentence is 'positive' or 'negative'. Reply with that word only.",
      "What does the writer feel about the film? Choose 'positive' or 'negative' and write nothing else.",
      "Classify the sentence from a film review as 'negative' or 'positive'.",
    ],
    rolePrompts: [
      "You sort film reviews for a newspaper. Label the next one 'positive' or 'negative' with one word.",
      "As the editor of a cinema guide, decide if the sentence recommends the film: answer 'positive', or 'negative' if it does not.",
      "Act as a reader of reviews who knows two words only, 'positive' and 'negative', and use the right one.",
    ],
  }),
  glue({
    name: 'cola',
    description: 'Is a sentence grammatical?',
    files: "GLUE's CoLA dev.tsv (source, label, mark, sentence; no header), or its copy as JSONL or Parquet",
    file: {
      isBare: true,
      width: 4,
      columns: { '1': 'label', '3': 'sentence' },
    },
    labels: { '0': 'unacceptable', '1': 'acceptable' },
    captions: { sentence: 'Sentence' },
    examples: [
      { sentence: 'The baker sold us the last loaf.', label: '1' },
      { sentence: 'The baker sold the last loaf us to.', label: '0' },
      { sentence: 'Which bridge did they say that was closed?', label: '1' },
    ],
    taskPrompts: [
      "Say if the grammar of the sentence is 'acceptable' or 'unacceptable', with one word.",
      "Would a native speaker write this sentence? Answer 'acceptable' if so, else 'unacceptable'.",
      "Check the sentence for mistakes of grammar and answer 'unacceptable' if there is one, 'acceptable' if there is none.",
    ],
    rolePrompts: [
      "You proofread books. Mark the sentence as 'acceptable' or 'unacceptable' English.",
      "As a teacher of English, judge the grammar of the sentence: 'acceptable' or 'unacceptable'.",
      "Act as a grammar checker that prints 'acceptable' or 'unacceptable' for each sentence.",
    ],
  }),
  glue({
    name: 'qqp',
    description: 'Do two questions ask the same?',
    files: "GLUE's QQP dev.tsv (id, qid1, qid2, question1, question2, is_duplicate), or its copy as JSONL or Parquet",
    file: {
      columns: { question1: 'question1', question2: 'question2', is_duplicate: 'label' },
    },
    labels: EQUIVALENCE,
    captions: { question1: 'Question 1', question2: 'Question 2' },
    examples: [
      { question1: 'How do I boil an egg?', question2: 'What is the way to cook an egg in water?', label: '1' },
      { question1: 'How do I boil an egg?', question2: 'How long do hens live?', label: '0' },
      { question1: 'Where can I rent a boat?', question2: 'Which places rent out boats?', label: '1' },
    ],
    taskPrompts: [
      "Do both questions want to know the same? Answer 'equivalent' or 'not_equivalent'.",
      "Compare what the two questions ask and reply 'equivalent' if one answer fits both, else 'not_equivalent'.",
      "Label the pair of questions as 'not_equivalent' or 'equivalent'.",
    ],
    rolePrompts: [
      "You merge duplicates in a forum. Label the two questions 'equivalent' or 'not_equivalent'.",
      "As the librarian at the help desk, say if the two visitors ask the same: 'equivalent' or 'not_equivalent'.",
      "Act as a detector of repeated questions that answers 'equivalent' or 'not_equivalent'.",
    ],
  }),
  glue({
    name: 'mrpc',
    description: 'Do two sentences of the news say the same?',
    files:
      "MRPC's msr_paraphrase_test.txt or GLUE's dev.tsv (Quality, #1 ID, #2 ID, #1 String, #2 String), or its copy as JSONL or Parquet",
    file: {
      columns: { '#1 String': 'sentence1', '#2 String': 'sentence2', Quality: 'label' },
    },
    labels: EQUIVALENCE,
    captions: PAIR,
    examples: [
      { sentence1: 'The mill closed on Friday .', sentence2: 'On Friday , the mill was shut .', label: '1' },
      { sentence1: 'The mill closed on Friday .', sentence2: 'The mill hired forty people on Friday .', label: '0' },
      {
        sentence1: 'Shares of the firm fell 3 percent .',
        sentence2: "The firm 's shares lost 3 percent .",
        label: '1',
      },
    ],
    taskPrompts: [
      "Do the two sentences report the same? Answer 'equivalent' or 'not_equivalent'.",
      "Decide if one sentence could take the place of the other: 'equivalent', or 'not_equivalent'.",
      "Mark the pair of sentences as 'not_equivalent' or 'equivalent' in meaning.",
    ],
    rolePrompts: [
      "You work at a news agency and look for stories sent twice. Label the pair 'equivalent' or 'not_equivalent'.",
      "As a copy editor, say whether the second sentence only rewords the first: 'equivalent' or 'not_equivalent'.",
      "Act as a paraphrase detector with the outputs 'equivalent' and 'not_equivalent'.",
    ],
  }),
  glue({
    name: 'mnli',
    description: 'Does a premise entail, contradict or leave open a hypothesis?',
    files:
      "GLUE's MNLI dev_matched.tsv (sentence1, sentence2, gold_label among its columns), or its copy as JSONL or Parquet",
    file: {
      columns: { sentence1: 'premise', sentence2: 'hypothesis', gold_label: 'label' },
    },
    labels: {
      '0': 'entailment',
      '1': 'neutral',
      '2': 'contradiction',
      entailment: 'entailment',
      neutral: 'neutral',
      contradiction: 'contradiction',
    },
    captions: { premise: 'Premise', hypothesis: 'Hypothesis' },
    examples: [
      { premise: 'Two men repair a boat.', hypothesis: 'A boat is being mended.', label: 'entailment' },
      { premise: 'Two men repair a boat.', hypothesis: 'The men are brothers.', label: 'neutral' },
      { premise: 'Two men repair a boat.', hypothesis: 'Nobody is near the boat.', label: 'contradiction' },
    ],
    taskPrompts: [
      "Does the premise make the hypothesis true ('entailment'), false ('contradiction'), or neither ('neutral')?",
      "Name how the hypothesis relates to the premise: 'entailment', 'neutral' or 'contradiction'.",
      "Given the premise, answer 'entailment' if the hypothesis follows, 'contradiction' if it can't be, 'neutral' if nobody can tell.",
    ],
    rolePrompts: [
      "You check facts for a court. Say 'entailment', 'neutral' or 'contradiction' for premise and hypothesis.",
      "As a teacher of logic, label the pair with one of 'entailment', 'neutral' and 'contradiction'.",
      "Act as an inference engine whose outputs are 'entailment', 'neutral' and 'contradiction'.",
    ],
  }),
  glue({
    name: 'qnli',
    description: 'Does a sentence hold the answer to a question?',
    files: "GLUE's QNLI dev.tsv (index, question, sentence, label), or its copy as JSONL or Parquet",
    labels: { '0': 'entailment', '1': 'not_entailment', ...ENTAILMENT },
    captions: { question: 'Question', sentence: 'Context' },
    examples: [
      { question: 'When did the mill close?', sentence: 'The mill closed in 1974.', label: 'entailment' },
      { question: 'Who built the mill?', sentence: 'The mill closed in 1974.', label: 'not_entailment' },
      { question: 'Where is the mill?', sentence: 'The mill stands beside the old bridge.', label: 'entailment' },
    ],
    taskPrompts: [
      "Does the context answer the question? Reply 'entailment' if it does and 'not_entailment' if it does not.",
      "Look for the answer to the question in the context: 'entailment' when it is there, else 'not_entailment'.",
      "Label the question and its context with 'not_entailment' or 'entailment'.",
    ],
    rolePrompts: [
      "You build an encyclopedia's search. Say if the context answers the question: 'entailment' or 'not_entailment'.",
      "As a quiz master, accept the context as an answer with 'entailment' or refuse it with 'not_entailment'.",
      "Act as a reading machine that prints 'entailment' when the context holds the answer, else 'not_entailment'.",
    ],
  }),
  glue({
    name: 'rte',
    description: 'Does a text entail a hypothesis?',
    files: "GLUE's RTE dev.tsv (index, sentence1, sentence2, label), or its copy as JSONL or Parquet",
    labels: { '0': 'entailment', '1': 'not_entailment', ...ENTAILMENT },
    captions: PAIR,
    examples: [
      { sentence1: 'Ann sold her boat to Ben.', sentence2: 'Ben bought a boat.', label: 'entailment' },
      { sentence1: 'Ann sold her boat to Ben.', sentence2: 'Ann has two boats.', label: 'not_entailment' },
      { sentence1: 'It rained all week in Bergen.', sentence2: 'Bergen had rain.', label: 'entailment' },
    ],
    taskPrompts: [
      "Does the second sentence follow from the first? Answer 'entailment' or 'not_entailment'.",
      "If the first sentence is true, must the second be? Reply 'entailment' for yes, 'not_entailment' for no.",
      "Label the two sentences with 'not_entailment' or 'entailment'.",
    ],
    rolePrompts: [
      "You verify claims against a report. Answer 'entailment' if the report proves the claim, else 'not_entailment'.",
      "As a judge, decide if the first sentence proves the second: 'entailment' or 'not_entailment'.",
      "Act as a system of textual inference with the outputs 'entailment' and 'not_entailment'.",
    ],
  }),
  glue({
    name: 'wnli',
    description: 'Is a pronoun resolved rightly?',
    files: "GLUE's WNLI dev.tsv (index, sentence1, sentence2, label), or its copy as JSONL or Parquet",
    labels: { '0': 'not_entailment', '1': 'entailment', ...ENTAILMENT },
    captions: PAIR,
    examples: [
      {
        sentence1: 'The cup fell off the shelf since it was wet.',
        sentence2: 'The shelf was wet.',
        label: 'entailment',
      },
      {
        sentence1: 'Ann thanked Eve for the help she had given.',
        sentence2: 'Ann had given help.',
        label: 'not_entailment',
      },
      {
        sentence1: 'Ann thanked Eve for the help she had given.',
        sentence2: 'Eve had given help.',
        label: 'entailment',
      },
    ],
    taskPrompts: [
      "Does the second sentence read the pronoun of the first one rightly? Answer 'entailment' or 'not_entailment'.",
      "Replace the pronoun as the second sentence does: 'entailment' if the meaning stays, else 'not_entailment'.",
      "Label the pair with 'not_entailment' or 'entailment'.",
    ],
    rolePrompts: [
      "You teach how pronouns work. Say if the second sentence follows: 'entailment' or 'not_entailment'.",
      "As a linguist, decide whom the pronoun means and answer 'entailment' or 'not_entailment'.",
      "Act as a resolver of pronouns with the outputs 'entailment' and 'not_entailment'.",
    ],
  }),
];
