"""Pictures of answers: for a paper, for a web page, for the terminal."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = [
    "Chart",
    "Panel",
    "RankFacts",
    "Series",
    "Spot",
    "TreeFacts",
    "TreeNode",
    "calibration_chart",
    "caption_of",
    "chart_figure",
    "chart_svg",
    "critical_difference_figure",
    "critical_difference_text",
    "critical_difference_tikz",
    "data_study_chart",
    "data_study_svg",
    "need_matplotlib",
    "pictures_for",
    "plot",
    "plot_calibration",
    "plot_data_findings",
    "plot_findings",
    "plot_table_findings",
    "rank_facts",
    "save",
    "study_chart",
    "study_pictures",
    "svg",
    "svg_of",
    "svg_with_caption",
    "table_chart",
    "table_pictures",
    "tree",
    "tree_figure",
]

if TYPE_CHECKING:
    from twofold.plots.canvas import need_matplotlib, svg_of
    from twofold.plots.chart_panels import chart_figure
    from twofold.plots.charts import Chart, Panel, Series, Spot
    from twofold.plots.comparison_plots import caption_of, plot, svg, svg_with_caption
    from twofold.plots.critical_difference import critical_difference_figure, save
    from twofold.plots.data_study_plots import (
        data_study_chart,
        data_study_svg,
        plot_data_findings,
    )
    from twofold.plots.fitting_pictures import pictures_for
    from twofold.plots.rank_text import critical_difference_text
    from twofold.plots.rank_tikz import critical_difference_tikz
    from twofold.plots.ranking_facts import RankFacts, rank_facts
    from twofold.plots.study_plots import (
        calibration_chart,
        chart_svg,
        plot_calibration,
        plot_findings,
        study_chart,
        study_pictures,
    )
    from twofold.plots.table_study_facts import (
        plot_table_findings,
        table_chart,
        table_pictures,
    )
    from twofold.plots.tree_facts import TreeFacts, TreeNode
    from twofold.plots.tree_picture import tree, tree_figure
else:
    __getattr__ = load_on_demand(
        __name__,
        {
            "canvas": "need_matplotlib svg_of",
            "chart_panels": "chart_figure",
            "charts": "Chart Panel Series Spot",
            "comparison_plots": "caption_of plot svg svg_with_caption",
            "critical_difference": "critical_difference_figure save",
            "data_study_plots": "data_study_chart data_study_svg plot_data_findings",
            "fitting_pictures": "pictures_for",
            "rank_text": "critical_difference_text",
            "rank_tikz": "critical_difference_tikz",
            "ranking_facts": "RankFacts rank_facts",
            "study_plots": "calibration_chart chart_svg plot_calibration plot_findings "
            "study_chart study_pictures",
            "table_study_facts": "plot_table_findings table_chart table_pictures",
            "tree_facts": "TreeFacts TreeNode",
            "tree_picture": "tree tree_figure",
        },
    )
