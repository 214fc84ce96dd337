"""Runs TextAttack's own edit code or whole searches over a file and prints one line of JSON, as perturb_rate does.

    textattack_edits.py TASK FILE SECONDS

TASK is candidates-deepwordbug, candidates-pruthi, search-deepwordbug or search-pruthi. Only TextAttack's edit code is
measured: libraries that it imports for models and data sets (torch, transformers, flair, …) are replaced by empty stand-ins,
so that the environment stays small, and the victim costs nothing: a text's score is its share of the letter e.
"""

import importlib.abc
import importlib.machinery
import json
import statistics
import sys
import time
import types
from unittest.mock import MagicMock

ABSENT = set()


class StandIn(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (object,), {}) if name[:1].isupper() else MagicMock(name=name)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ABSENT:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def import_textattack():
    sys.meta_path.append(Finder())
    while True:
        try:
            import textattack.attack_recipes  # noqa: F401

            return
        except ModuleNotFoundError as error:
            name = error.name.split(".")[0]
            if name in ABSENT or name == "textattack":
                raise
            ABSENT.add(name)
            for loaded in [key for key in sys.modules if key.startswith("textattack")]:
                del sys.modules[loaded]


def build(recipe, stop_words):
    """The recipe's own transformations, constraints and search, with a victim that costs nothing."""
    from textattack import Attack
    from textattack.attack_recipes import DeepWordBugGao2018, Pruthi2019
    from textattack.constraints.pre_transformation import StopwordModification
    from textattack.goal_function_results import GoalFunctionResult
    from textattack.goal_functions import UntargetedClassification
    from textattack.models.wrappers import ModelWrapper

    class Victim(ModelWrapper):
        model = None

        def __call__(self, texts):
            return texts

    class Result(GoalFunctionResult):
        @property
        def _processed_output(self):
            return self.raw_output

        def get_text_color_input(self):
            return "red"

        def get_text_color_perturbed(self):
            return "red"

        def get_colored_output(self, color_method=None):
            return str(self.raw_output)

    class LetterShare(UntargetedClassification):
        def _call_model(self, texts):
            return [text.text.count("e") / (len(text.text) + 1) for text in texts]

        def _is_goal_complete(self, output, _):
            return False

        def _get_score(self, output, _):
            return 1 - output

        def _get_displayed_output(self, output):
            return output

        def _goal_function_result_type(self):
            return Result

    original = {"deepwordbug": DeepWordBugGao2018, "pruthi": Pruthi2019}[recipe].build(Victim())
    # NLTK's list is a download; the same words are given to both sides.
    constraints = [
        StopwordModification(stopwords=stop_words) if isinstance(constraint, StopwordModification) else constraint
        for constraint in original.pre_transformation_constraints + original.constraints
    ]
    return Attack(LetterShare(Victim()), constraints, original.transformation, original.search_method)


def main():
    task, path, seconds, stop_words = sys.argv[1], sys.argv[2], float(sys.argv[3]), set(sys.argv[4].split())
    import_textattack()
    from textattack.shared import AttackedText

    kind, recipe = task.split("-")
    attack = build(recipe, stop_words)
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n") for line in file]

    def candidates(line):
        text = AttackedText(line)
        return len(attack.get_transformations(text, text)), len(text.words)

    def search(line):
        attack.clear_cache()
        text = AttackedText(line)
        initial, _ = attack.goal_function.init_attack_example(text, 0)
        attack.search_method(initial)
        return attack.goal_function.num_queries, len(text.words)

    run = candidates if kind == "candidates" else search
    run(lines[0])
    rates, made, words, done = [], 0, 0, 0
    started = time.perf_counter()
    for line in lines:
        begin = time.thread_time()
        count, length = run(line)
        elapsed = time.thread_time() - begin
        made, words, done = made + count, words + length, done + 1
        rates.append((count if kind == "candidates" else 1, elapsed))
        if time.perf_counter() - started > seconds:
            break
    total = sum(elapsed for _, elapsed in rates)
    units = sum(count for count, _ in rates)
    print(
        json.dumps(
            {
                "rate": units / total,
                "low": min(count / elapsed for count, elapsed in rates),
                "high": max(count / elapsed for count, elapsed in rates),
                "median": statistics.median(count / elapsed for count, elapsed in rates),
                "made": made,
                "words": words,
                "lines": done,
            }
        )
    )


if __name__ == "__main__":
    main()
