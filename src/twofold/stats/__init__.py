"""The arithmetic of every test: pure functions on arrays, vectorised over leading axes.

Needs numpy and scipy only, and knows nothing of tables, files or learners.
"""

from twofold.stats.adjust import adjust, bonferroni, finner, hochberg, holm, hommel, li
from twofold.stats.anova import dunnett, rm_anova, tukey
from twofold.stats.anytime import anytime_mcnemar, anytime_mean, anytime_sign
from twofold.stats.auc_tests import Areas, auc_interval, compare_areas, delong, roc_areas
from twofold.stats.bayes import (
    bayes_correlated_t,
    bayes_sign,
    bayes_signed_rank,
    sign_draws,
    signed_rank_draws,
)
from twofold.stats.calibrated import (
    mean_folds,
    mean_runs,
    mean_sorted_runs,
    sorted_cv_t,
    use_all_data,
)
from twofold.stats.catalog import CatalogEntry, catalog, entry, papers
from twofold.stats.concordance import kendalls_w
from twofold.stats.counts import cochran_q, disagreements, mcnemar, proportions
from twofold.stats.crossed import learner_accuracy, quasi_f
from twofold.stats.effects import (
    Effect,
    WinTieLoss,
    cohens_d,
    hodges_lehmann,
    mean_difference,
    median_difference,
    rank_biserial,
    win_tie_loss,
)
from twofold.stats.exchange_test import exchange_test
from twofold.stats.half_samples import half_sample_t
from twofold.stats.hierarchical import bayes_hierarchical
from twofold.stats.intervals import clopper_pearson, wilson
from twofold.stats.item_prediction import (
    ItemPrediction,
    predict_from_clustered_t,
    predict_new_items,
)
from twofold.stats.item_tests import clustered_t, sign_flip
from twofold.stats.margins import MarginResult, shifted_test, two_one_sided
from twofold.stats.max_t import max_t
from twofold.stats.missing_cells import skillings_mack
from twofold.stats.omnibus import (
    aligned_friedman,
    friedman,
    iman_davenport,
    quade,
)
from twofold.stats.pair_adjustments import bergmann_hommel, shaffer
from twofold.stats.paired import (
    critical_wins,
    paired_t,
    relative_t,
    sign,
    smallest_pvalue,
    wilcoxon,
)
from twofold.stats.paired_bootstrap import (
    ScoreDraws,
    bootstrap_interval,
    bootstrap_scores,
    paired_bootstrap,
)
from twofold.stats.paired_proportions import tango
from twofold.stats.posthoc import (
    bonferroni_dunn,
    critical_difference,
    critical_value,
    groups,
    mean_rank_z,
    nemenyi,
)
from twofold.stats.prediction import Prediction, predict_replicability
from twofold.stats.ranges import dunnett_quantile, range_quantile
from twofold.stats.rank_sets import rank_sets, tiers
from twofold.stats.ranking import ranks
from twofold.stats.replicability import (
    Replicability,
    agreement,
    mcnemar_worst_case,
    replicability,
    replicability_of_outcomes,
    replicability_of_pvalues,
    replicability_of_rejections,
    type_one_bound,
)
from twofold.stats.resampled import (
    corrected_cv_t,
    corrected_resampled_t,
    cv_t,
    five_by_two_cv_f,
    five_by_two_cv_t,
    resampled_t,
)
from twofold.stats.two_levels import two_level_cv_t

__all__ = [
    "Areas",
    "CatalogEntry",
    "Effect",
    "ItemPrediction",
    "MarginResult",
    "Prediction",
    "Replicability",
    "ScoreDraws",
    "WinTieLoss",
    "adjust",
    "agreement",
    "aligned_friedman",
    "anytime_mcnemar",
    "anytime_mean",
    "anytime_sign",
    "auc_interval",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
    "bergmann_hommel",
    "bonferroni",
    "bonferroni_dunn",
    "bootstrap_interval",
    "bootstrap_scores",
    "catalog",
    "clopper_pearson",
    "clustered_t",
    "cochran_q",
    "cohens_d",
    "compare_areas",
    "corrected_cv_t",
    "corrected_resampled_t",
    "critical_difference",
    "critical_value",
    "critical_wins",
    "cv_t",
    "delong",
    "disagreements",
    "dunnett",
    "dunnett_quantile",
    "entry",
    "exchange_test",
    "finner",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "friedman",
    "groups",
    "half_sample_t",
    "hochberg",
    "hodges_lehmann",
    "holm",
    "hommel",
    "iman_davenport",
    "kendalls_w",
    "learner_accuracy",
    "li",
    "max_t",
    "mcnemar",
    "mcnemar_worst_case",
    "mean_difference",
    "mean_folds",
    "mean_rank_z",
    "mean_runs",
    "mean_sorted_runs",
    "median_difference",
    "nemenyi",
    "paired_bootstrap",
    "paired_t",
    "papers",
    "predict_from_clustered_t",
    "predict_new_items",
    "predict_replicability",
    "proportions",
    "quade",
    "quasi_f",
    "range_quantile",
    "rank_biserial",
    "rank_sets",
    "ranks",
    "relative_t",
    "replicability",
    "replicability_of_outcomes",
    "replicability_of_pvalues",
    "replicability_of_rejections",
    "resampled_t",
    "rm_anova",
    "roc_areas",
    "shaffer",
    "shifted_test",
    "sign",
    "sign_draws",
    "sign_flip",
    "signed_rank_draws",
    "skillings_mack",
    "smallest_pvalue",
    "sorted_cv_t",
    "tango",
    "tiers",
    "tukey",
    "two_level_cv_t",
    "two_one_sided",
    "type_one_bound",
    "use_all_data",
    "wilcoxon",
    "wilson",
    "win_tie_loss",
]
