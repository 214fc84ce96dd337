"""What TextAttack's own search finds, for __test__/golden/textattack/: rows made once, in an environment of their own.

    pip install numpy nltk lru-dict tqdm terminaltables editdistance more-itertools pandas click pyyaml && pip install --no-deps textattack==0.3.11
    python textattack-golden.py JOBS > rows.jsonl

JOBS is what `node scripts/textattack-golden.mjs` writes: attacks, texts and the candidates of each word. Candidates are given, since TextAttack
draws them from one global generator: what is compared is ranking, search, constraints, budget and counting.

The libraries that TextAttack imports for models and data sets are replaced by empty stand-ins (bench/textattack_edits.py).
"""

import json
import math
import re
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from textattack_edits import import_textattack  # noqa: E402


def main():
    import_textattack()
    import numpy
    from textattack import Attack
    from textattack.attack_results import FailedAttackResult, SkippedAttackResult, SuccessfulAttackResult
    from textattack.constraints.overlap import LevenshteinEditDistance, MaxWordsPerturbed
    from textattack.constraints.pre_transformation import (
        MinWordLength,
        RepeatModification,
        StopwordModification,
    )
    from textattack.goal_functions import UntargetedClassification
    from textattack.models.wrappers import ModelWrapper
    from textattack.search_methods import BeamSearch, GreedySearch, GreedyWordSwapWIR, beam_search, greedy_word_swap_wir
    from textattack.shared import AttackedText
    from textattack.transformations import WordSwap

    def softmax(values, dim):
        powers = numpy.exp(values - values.max())
        return types.SimpleNamespace(numpy=lambda: powers / powers.sum())

    class Stable(numpy.ndarray):
        """TextAttack ranks words and texts by numpy's argsort, whose order of ties depends on the processor: here ties go by position."""

        def argsort(self):
            return numpy.asarray(self).argsort(kind="stable")

    greedy_word_swap_wir.np = beam_search.np = types.SimpleNamespace(
        array=lambda values: numpy.array(values).view(Stable), max=numpy.max, random=numpy.random
    )
    greedy_word_swap_wir.torch = types.SimpleNamespace(Tensor=lambda values: numpy.asarray(values))
    greedy_word_swap_wir.softmax = softmax
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    weights = given["weights"]

    def probabilities(text):
        total = sum(weights.get(word.lower(), 0) for word in re.findall(r"[A-Za-z']+", text))
        positive = 1 / (1 + math.exp(-(total + given["bias"])))
        return [1 - positive, positive]

    def label_of(text, item):
        """The victim's own answer, and every tenth time the other one."""
        negative, positive = probabilities(text)
        return int((positive > negative) != (item % 10 == 9))

    class Victim(ModelWrapper):
        model = None

        def __call__(self, texts):
            return texts

    class Untargeted(UntargetedClassification):
        """UntargetedClassification without torch."""

        asked = set()

        def _call_model(self, texts):
            self.asked.update(text.text for text in texts)
            return [numpy.array(probabilities(text.text)) for text in texts]

        def _is_goal_complete(self, output, _):
            return output.argmax() != self.ground_truth_output

        def _get_score(self, output, _):
            return 1 - output[self.ground_truth_output]


    class Given(WordSwap):
        """The candidates that the job names for each word of a text."""

        words = []

        def _get_transformations(self, text, indices):
            return [
                text.replace_word_at_index(index, word)
                for index in sorted(indices)
                for word in self.words[index]
            ]

    searches = {
        "greedy-word-importance:unk": lambda: GreedyWordSwapWIR(wir_method="unk"),
        "greedy-word-importance:delete": lambda: GreedyWordSwapWIR(wir_method="delete"),
        "greedy-word-importance:weighted-saliency": lambda: GreedyWordSwapWIR(wir_method="weighted-saliency"),
        "greedy": GreedySearch,
        "beam:4": lambda: BeamSearch(beam_width=4),
    }
    constraints = {
        "stop-words": lambda _: StopwordModification(stopwords=set(given["stop_words"])),
        "max-edit-distance": lambda value: LevenshteinEditDistance(int(value)),
        "min-word-length": lambda value: MinWordLength(int(value)),
        "max-words-changed": lambda value: MaxWordsPerturbed(max_num_words=int(value)),
        "max-share-changed": lambda value: MaxWordsPerturbed(max_percent=float(value)),
    }
    for job in given["jobs"]:
        goal = Untargeted(Victim(), use_cache=False)
        if job["budget"] is not None:
            goal.query_budget = job["budget"]
        checks = [RepeatModification()]
        for text in job["constraints"]:
            name, _, value = text.partition("=")
            checks.append(constraints[name](value))
        transformation = Given()
        attack = Attack(goal, checks, transformation, searches[job["search"]]())
        if job["budget"] is not None:
            attack.goal_function.query_budget = job["budget"]
        for line, item in enumerate(job["texts"], 1):
            transformation.words = item["words"]
            attack.clear_cache()
            goal.asked = set()
            result = attack.attack(AttackedText(item["text"]), label_of(item["text"], line - 1))
            kind = {
                SuccessfulAttackResult: "successful",
                FailedAttackResult: "failed",
                SkippedAttackResult: "skipped",
            }.get(type(result), type(result).__name__)
            print(
                json.dumps(
                    {
                        "attack": job["name"],
                        "budget": job["budget"],
                        "line": line,
                        "result": kind,
                        "adv_src": result.perturbed_result.attacked_text.text,
                        "queries": len(goal.asked),
                        "counted": result.num_queries,
                        "score": result.perturbed_result.score,
                    },
                    ensure_ascii=False,
                )
            )


if __name__ == "__main__":
    main()
