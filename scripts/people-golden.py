"""Makes __test__/people/golden.json: random tables with ties and gaps, and what the reference packages say of them.

    pip install scipy krippendorff statsmodels scikit-learn
    python scripts/people-golden.py > __test__/people/golden.json
"""

import json
import sys
import warnings

import krippendorff
import numpy
import scipy
import sklearn
import statsmodels
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, roc_auc_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

warnings.simplefilter("ignore")
random = numpy.random.default_rng(20260)


def number(value):
    value = float(value)
    return value if numpy.isfinite(value) else None


def correlations():
    rows = []
    for n in (2, 3, 5, 12, 40, 150):
        for kind in ("floats", "ties", "scale"):
            x = random.normal(size=n)
            y = x * random.uniform(-1, 1) + random.normal(size=n)
            if kind == "ties":
                x, y = numpy.round(x), numpy.round(y)
            if kind == "scale":
                x, y = numpy.clip(numpy.round(3 + x), 0, 5), numpy.round(y, 1)
            rows.append({
                "x": x.tolist(),
                "y": y.tolist(),
                "pearson": number(stats.pearsonr(x, y)[0]),
                "spearman": number(stats.spearmanr(x, y)[0]),
                "kendall": number(stats.kendalltau(x, y)[0]),
            })
    return rows


def student():
    return [
        {"t": t, "degrees": degrees, "p": float(2 * stats.t.sf(abs(t), degrees))}
        for degrees in (1, 2, 5, 17, 97, 1000)
        for t in (0.0, 0.1, -1.0, 2.5, 7.0, -30.0)
    ]


def agreement():
    rows = []
    for items in (3, 10, 40):
        for raters in (2, 3, 5):
            for values in (2, 4, 6):
                for gaps in (0.0, 0.3):
                    truth = random.integers(0, values, size=items)
                    table = numpy.where(
                        random.random((items, raters)) < 0.6, truth[:, None], random.integers(0, values, size=(items, raters))
                    ).astype(float)
                    table[random.random((items, raters)) < gaps] = numpy.nan
                    row = {"table": [[number(cell) for cell in line] for line in table]}
                    for level in ("nominal", "ordinal", "interval"):
                        try:
                            row[level] = number(krippendorff.alpha(table.T, level_of_measurement=level))
                        except ValueError:
                            row[level] = None
                    both = ~numpy.isnan(table[:, 0]) & ~numpy.isnan(table[:, 1])
                    row["cohen"] = number(cohen_kappa_score(table[both, 0], table[both, 1])) if both.any() else None
                    row["fleiss"] = number(fleiss_kappa(aggregate_raters(table.astype(int))[0])) if gaps == 0 else None
                    rows.append(row)
    return rows


def separation():
    rows = []
    for n in (4, 20, 100):
        for digits in (1, 6):
            kept = random.random(n) < 0.5
            kept[:2] = [True, False]
            scores = numpy.round(random.normal(size=n) + kept, digits)
            ordered = numpy.unique(scores)
            middles = (ordered[1:] + ordered[:-1]) / 2
            best = max(balanced_accuracy_score(kept, scores >= middle) for middle in middles)
            rows.append({
                "scores": scores.tolist(),
                "kept": kept.tolist(),
                "auc": float(roc_auc_score(kept, scores)),
                "balanced_accuracy": float(best),
            })
    return rows


document = {
    "made_by": "scripts/people-golden.py",
    "versions": {
        "scipy": scipy.__version__,
        "krippendorff": krippendorff.__version__ if hasattr(krippendorff, "__version__") else None,
        "statsmodels": statsmodels.__version__,
        "scikit-learn": sklearn.__version__,
    },
    "correlations": correlations(),
    "student": student(),
    "agreement": agreement(),
    "separation": separation(),
}
json.dump(document, sys.stdout, indent=None, separators=(",", ":"))
print()
