"""Writes TextAttack 0.3.11's own log of an attack on sentence pairs: __test__/golden/textattack/nli.csv.

    python scripts/textattack-nli.py __test__/golden/textattack/nli.jsonl nli.csv      # in the environment of textattack-golden.py

The hypothesis is attacked by deletions (WordSwapRandomCharacterDeletion, all places), words ranked by [UNK]; the victim counts words.
"""

import collections
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from textattack_edits import import_textattack  # noqa: E402


def main():
    import_textattack()
    import types

    import numpy
    from textattack import Attack
    from textattack.constraints.pre_transformation import InputColumnModification, RepeatModification
    from textattack.goal_functions import UntargetedClassification
    from textattack.loggers import CSVLogger
    from textattack.models.wrappers import ModelWrapper
    from textattack.search_methods import GreedyWordSwapWIR, greedy_word_swap_wir
    from textattack.shared import AttackedText
    from textattack.transformations import WordSwapRandomCharacterDeletion

    class Stable(numpy.ndarray):
        def argsort(self):
            return numpy.asarray(self).argsort(kind="stable")

    greedy_word_swap_wir.np = types.SimpleNamespace(array=lambda values: numpy.array(values).view(Stable))

    def shares(premise, hypothesis):
        """The share of the hypothesis's words that the premise has not: 0 entailment, 1 neutral."""
        known = set(re.findall(r"[a-z]+", premise.lower()))
        words = re.findall(r"[^\s.,]+", hypothesis.lower())
        new = sum(word not in known for word in words) / max(1, len(words))
        return numpy.array([1 - new, new])

    class Victim(ModelWrapper):
        model = None

        def __call__(self, texts):
            return texts

    class Untargeted(UntargetedClassification):
        def _call_model(self, texts):
            return [shares(*text._text_input.values()) for text in texts]

        def _is_goal_complete(self, output, _):
            return int(output[1] > 0.5) != self.ground_truth_output

        def _get_score(self, output, _):
            return 1 - output[self.ground_truth_output]

        def _get_displayed_output(self, output):
            return int(output[1] > 0.5)

    goal = Untargeted(Victim(), use_cache=False)
    constraints = [RepeatModification(), InputColumnModification(["premise", "hypothesis"], {"premise"})]
    transformation = WordSwapRandomCharacterDeletion(random_one=False)
    attack = Attack(goal, constraints, transformation, GreedyWordSwapWIR(wir_method="unk"))
    logger = CSVLogger(filename=sys.argv[2], color_method="file")
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = AttackedText(collections.OrderedDict(premise=row["premise"], hypothesis=row["hypothesis"]))
        attack.clear_cache()
        logger.log_attack_result(attack.attack(text, row["label"]))
    logger.flush()
    logger.close()


if __name__ == "__main__":
    main()
