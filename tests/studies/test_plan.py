import pytest

from twofold import InputError
from twofold.studies.plan import plan_experiments, share_splits, study_tests


def names(tests, designs=None):
    return [str(one) for one in plan_experiments(tests, designs)]


def test_tests_find_their_usual_designs():
    assert names(["cv-t", "5x2cv-t", "mcnemar", "corrected-resampled-t", "corrected-cv-t"]) == [
        "cv-t@1x10",
        "5x2cv-t@5x2",
        "mcnemar@holdout:1/3",
        "corrected-resampled-t@resample:100:0.1",
        "corrected-cv-t@10x10",
    ]


def test_designs_go_with_the_tests_they_fit():
    assert names("cv-t,corrected-cv-t,5x2cv-f", "5x5,5x2") == [
        "cv-t@1x5",
        "corrected-cv-t@5x5",
        "5x2cv-f@5x2",
    ]
    assert names(["corrected-cv-t", "mcnemar"], ["3x5", "10x10"]) == [
        "corrected-cv-t@3x5",
        "corrected-cv-t@10x10",
        "mcnemar@holdout:1/3",
    ]
    # All tests that fit: those on folds, and no others.
    fitting = names("all", "1x10")
    assert "cv-t@1x10" in fitting
    assert "mcnemar@holdout:1/3" not in fitting
    assert "mean-folds@1x10" not in fitting  # the variance over one run is not defined
    assert len(names("all")) == len(study_tests()) == 26


def test_experiments_are_written_out():
    assert names("use-all-data(df=10)@10x10, cv-t@1x5") == ["use-all-data(df=10)@10x10", "cv-t@1x5"]
    assert plan_experiments("corrected-cv-t@10x10", None)[0].fits == 200
    halves = plan_experiments("half-sample-t@halves:4x5", None)[0]
    assert (halves.design.kind, halves.fits) == ("halves", 2 * 4 * 5 * 3)


@pytest.mark.parametrize(
    ("tests", "designs", "says"),
    [
        ("cv-tt", None, "Did you mean 'cv-t'"),
        ("wilcoxon", None, "does not compare two learners"),
        ("mcnemar@10x10", None, "does not fit the design"),
        ("mean-folds@1x10", None, "does not fit the design"),
        ("half-sample-t@10x10", None, "does not fit the design"),
        ("corrected-cv-t@halves:10x10", None, "does not fit the design"),
        ("5x2cv-t@10x2", None, "takes five runs of 2-fold"),
        ("cv-t@10x10", None, "Write cv-t@1x10"),
        ("cv-t", "200x10", "takes the design '200x10' as it is"),
        ("5x2cv-t", "10x2", "They take 5x2"),
        ("cv-t@1x10", "10x10", "takes the design '10x10' as it is"),
        ("cv-t@5by5", None, "is not a design"),
        ("mcnemar(df=3)", None, "takes no `df`"),
        ("use-all-data(df=0)", None, "larger than zero"),
        ("a b", None, "is not an experiment"),
        ("all", "loo", "No test that can be studied fits the design 'loo'"),
        ("corrected-cv-t", "10x10,bootstrap:10", "fits the design 'bootstrap:10'"),
        (None, "timeseries:5", "fits the design 'timeseries:5'"),
    ],
)
def test_what_does_not_fit_is_refused(tests, designs, says):
    with pytest.raises(InputError, match=says.replace("(", r"\(")):
        plan_experiments(tests, designs)


def test_fits_are_shared_by_kind_of_split():
    experiments = plan_experiments("cv-t@1x10,corrected-cv-t@10x10,cv-t@1x5,mcnemar", None)
    assert [str(one) for one in share_splits(experiments)] == ["10x10", "1x5", "holdout:1/3"]
