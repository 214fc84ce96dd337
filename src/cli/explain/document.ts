import type { Explanation } from '../../record/explain.js';
import { version } from '../../version.js';
import { editObject } from '../edits/run.js';

/** The JSON document of an explanation (`teapot.explain/1`). */
export function explanationDocument(explanation: Explanation): unknown {
  const { record, measured } = explanation;
  return {
    schema: 'teapot.explain/1',
    id: record.id,
    run: record.run,
    attack: record.attack,
    model: record.model,
    dataset: record.dataset,
    provenance: record.provenance,
    src: record.src,
    adv_src: record.adv_src,
    out: record.out,
    adv_out: record.adv_out,
    ref: record.ref,
    tool: {
      result: record.result,
      original_score: record.original_score,
      attacked_score: record.attacked_score,
      scale: record.scale,
      queries: record.queries,
    },
    measured,
    s_src_folded: explanation.sSrcFolded,
    success_threshold: explanation.successThreshold,
    verdict: explanation.verdict,
    edits: explanation.edits.map(editObject),
    diff: explanation.diff,
    ngrams: explanation.overlaps.map(({ pair, overlaps }) => ({ pair, overlaps })),
    signatures: { s_src: explanation.signatures.sSrc, s_tgt: explanation.signatures.sTgt },
    version: version(),
  };
}
