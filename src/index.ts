/**
 * teapot as a library: did the attack break the model, or did it just break the text?
 *
 * @module
 */
export { askWithin } from './attack/asking.js';
export type { Asking, Judge as AttackJudge, Verdict } from './attack/asking.js';
export { attackInputs } from './attack/attack-inputs.js';
export type { AttackInputsOptions, InputOutcome } from './attack/attack-inputs.js';
export { attackPrompts } from './attack/attack-prompts.js';
export type { AttackPromptsOptions, PromptOutcome, RankedPrompt } from './attack/attack-prompts.js';
export { blocksOf, buildAttack } from './attack/blocks/attack-blocks.js';
export type { AttackBlocks, BuiltAttack } from './attack/blocks/attack-blocks.js';
export { candidateSources } from './attack/candidate-source.js';
export type { CandidateSettings, SourceOf } from './attack/candidate-source.js';
export type { CandidateSource } from './attack/candidates.js';
export { evaluatePrompt } from './attack/evaluate-prompt.js';
export type { EvaluatePromptOptions, PromptEvaluation } from './attack/evaluate-prompt.js';
export { GOALS, judgeOf } from './attack/goal.js';
export type { AttackedInput, Goal, GoalName } from './attack/goal.js';
export { importanceByDeletion, importanceFromScores } from './attack/importance.js';
export type { LoggedImportance, LoggedScore, TextImportance, WordImportance } from './attack/importance.js';
export { paraphrasesOf } from './attack/paraphrase.js';
export { editKinds, listPerturbations, openPerturbation, perturbTexts } from './attack/perturb.js';
export type {
  FilePerturbation,
  PerturbEdit,
  PerturbedTexts,
  PerturbFileOptions,
  PerturbRunOptions,
} from './attack/perturb.js';
export { fixedCandidates, promptRecipe, promptRecipes } from './attack/prompt-recipes.js';
export type { QueryBudget } from './attack/query-budget.js';
export type { AttackRecipe, ModelConstraint, NeighbourUse, ProposalUse, ResourceName } from './attack/recipe.js';
export { ATTACK_RECIPES, attackRecipe } from './attack/recipes.js';
export { loadModelResources } from './attack/resource/model-resources.js';
export type { EntitySpan, LoadedResources, ModelResources } from './attack/resource/model-resources.js';
export { neighbourText } from './attack/resource/neighbour-table.js';
export type { NeighbourOptions, NeighbourTable } from './attack/resource/neighbour-table.js';
export { openMaskedLanguageModel } from './attack/resource/masked-language-model.js';
export { loadNeighbours, openNeighbours } from './attack/resource/neighbours.js';
export type { NeighbourSource } from './attack/resource/neighbours.js';
export { openSentenceEncoder } from './sentence-encoder.js';
export { openTagger } from './attack/resource/tagger.js';
export type { Found, SearchMethod, SearchOutcome, SearchStart, SearchStatus } from './attack/search/search-method.js';
export { performanceDropRateBounds } from './measure/performance-drop-rate-bounds.js';
export type { DropRateBounds } from './measure/performance-drop-rate-bounds.js';
export { performanceDropRate } from './measure/performance-drop-rate.js';
export { isSuccessfulWithoutReference, marginWithoutReference } from './measure/reference-less.js';
export { relativeDecrease } from './measure/relative-decrease.js';
export { isSuccessful, successMargin } from './measure/success.js';
export { UNDEFINED_REASON } from './measure/undefined-reason.js';
export type { UndefinedReason } from './measure/undefined-reason.js';
export { ERROR_CODES, TeapotError, UsageError } from './errors.js';
export type { ErrorCode } from './errors.js';
export { evaluate } from './evaluate.js';
export type { EvaluateOptions, Evaluation } from './evaluate.js';
export { BLEU, bleu, ChrF, chrf, ExactMatch, exactMatch, METEOR, scoreBatch } from './metrics.js';
export type { BleuOptions, ChrfOptions, ExactMatchOptions, MeteorClassOptions } from './metrics.js';
export type { Corpus } from './read/memory-corpus.js';
export { openSource } from './read/source-file.js';
export type { SourceFile, SourceOptions } from './read/source-file.js';
export { analyseEdits } from './record/analyse-edits.js';
export type { EditAnalysis, RecordEdits } from './record/analyse-edits.js';
export { audit, ruleIds } from './record/audit/audit.js';
export type { AuditOptions, AuditReport, RuleReport } from './record/audit/audit.js';
export type { Finding, Severity } from './record/audit/rule.js';
export { ComparedItems, compareRuns, OutcomeTable, Outcomes } from './record/compare.js';
export type { Change, ComparedItem, Comparison, Judge } from './record/compare.js';
export { diffSegments } from './record/diff-segments.js';
export type { DiffSegment } from './record/diff-segments.js';
export { explainRecord } from './record/explain.js';
export type { Explanation, ExplainOptions } from './record/explain.js';
export { FileImport } from './record/import/import-files.js';
export type { FileImportOptions, ImportReport } from './record/import/import-files.js';
export type { ImportWarning, ToolSummary } from './record/import/importer.js';
export type { Measured } from './record/measured.js';
export { PdrTable } from './record/pdr-table.js';
export type { PdrCell } from './record/pdr-table.js';
export { PromptBenchTables } from './record/promptbench-tables.js';
export type { PromptBenchCell, PromptBenchTable } from './record/promptbench-tables.js';
export { readRecords } from './record/read.js';
export type { ReadRecordsOptions } from './record/read.js';
export { makeRecord, RECORD_SCHEMA, recordJsonSchema } from './record/schema.js';
export type { AttackRecord, AttackResult } from './record/schema.js';
export { scoreBlocks, scoreRecords } from './record/score-records.js';
export type { RecordScorers, RecordScoring, ScoredBlock, ScoredRecord } from './record/score-records.js';
export { GroupSummariser } from './measure/group-summariser.js';
export type { GroupedScores } from './measure/group-summariser.js';
export { EDIT_KINDS, findEdits, foldTexts } from './record/text-edits.js';
export type { EditKind, Folding, TextEdit, TextEdits } from './record/text-edits.js';
export { writeRecords } from './record/write.js';
export { summaryDocument } from './report/summary-document.js';
export type { SummaryDocument } from './report/summary-schema.js';
export { registerScorerModules } from './score/custom-scorers.js';
export type { ModuleOption, ModuleScorer, ModuleScoring } from './score/module-scorer.js';
export type { ParameterDefinition, ParameterValue, ParameterValues } from './score/parameters.js';
export { createScorer, listScorers, registerScorer } from './score/registry.js';
export type { ScorerContext, ScorerDefinition } from './score/definition.js';
export type { Reference, RunOptions, Scorer, ScoreOptions } from './score/scorer.js';
export { DEFAULT_BOOTSTRAP, meanInterval } from './measure/intervals.js';
export type { BootstrapSettings, Interval } from './measure/intervals.js';
export { outcomeRates } from './measure/denominators.js';
export type { OutcomeCounts, OutcomeRates, Share } from './measure/denominators.js';
export { dropRateIntervals, DropRates } from './measure/drop-rates.js';
export type { DropRateIntervals, DropRateSummary, ScorePair } from './measure/drop-rates.js';
export { mcnemarTest, pairedBootstrapTest } from './measure/paired-tests.js';
export type { McNemarTest, PairedBootstrapTest } from './measure/paired-tests.js';
export { trimmedMean } from './measure/trimmed-mean.js';
export type { Agreement, Claims, GroupResult, Result, Statistics, SuccessSummary, Summary } from './measure/summary.js';
export { answerReader } from './task/answer.js';
export type { AnswerExtraction, AnswerRule } from './task/answer.js';
export { loadTask } from './task/load-task.js';
export type { LoadedTask, LoadTaskOptions } from './task/load-task.js';
export type { TaskMetricName } from './task/metric.js';
export { findPreset, PRESETS } from './task/presets/index.js';
export type { Preset } from './task/presets/preset.js';
export { damagedSpans, lostSpans, protectedSpans } from './task/protected-text.js';
export type { ProtectedSpan } from './task/protected-text.js';
export type { DataRow } from './task/rows.js';
export type { DatasetConfig } from './task/task-config.js';
export type { PromptStyle, Task, TaskItem, TaskPrompt, TaskScore } from './task/task.js';
export type { AttackEntry, PerturbedBlock, PerturbOptions } from './native.js';
export { autocorrect, correctedVictim } from './victim/autocorrect.js';
export type { Autocorrect } from './victim/autocorrect.js';
export { cachedVictim, newCounters } from './victim/cached-victim.js';
export type { VictimCounters } from './victim/cached-victim.js';
export { createVictim } from './victim/create-victim.js';
export type { ModuleAnswer, ModuleAnswerOptions, ModuleVictim } from './victim/module.js';
export { recordAnswers } from './victim/record-answers.js';
export type { AnswerRecording } from './victim/record-answers.js';
export { memoryStore, ResponseCache } from './victim/response-cache.js';
export type { AnswerStore } from './victim/response-cache.js';
export { endsRun, VictimError } from './victim/victim-error.js';
export type { FailureScope } from './victim/victim-error.js';
export type {
  Answer,
  AnswerOptions,
  EndpointLimits,
  SamplingOptions,
  TokenUsage,
  Victim,
  VictimContext,
} from './victim/victim.js';
export { version } from './version.js';
