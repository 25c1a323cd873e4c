"""The hierarchical model: against quadrature and another sampler, and the laws it must obey."""

from functools import cache

import numpy as np
import pytest
from scipy import fft, integrate, special, stats

from twofold import InputError
from twofold.stats import hierarchical, markov_chains
from twofold.stats.hierarchical import bayes_hierarchical

REGIONS = ("a_better", "equivalent", "b_better")

# Means and standard deviations of the data sets, runs and folds. "outlier" wants few degrees of
# freedom, "close" a scale near zero, and "two" leaves nearly all to the prior.
CASES = {
    "outlier": (
        [0.012, 0.008, -0.004, 0.021, 0.005, 0.017, -0.09, 0.010, 0.002, 0.014, 0.009, 0.030],
        [0.02, 0.03, 0.015, 0.04, 0.025, 0.01, 0.03, 0.05, 0.02, 0.035, 0.02, 0.03],
        (10, 10),
    ),
    "close": (
        [0.001, -0.002, 0.0035, 0.0, -0.004, 0.002, -0.001, 0.0005],
        [0.03, 0.02, 0.04, 0.015, 0.025, 0.035, 0.02, 0.03],
        (10, 10),
    ),
    "two": ([0.05, 0.02], [0.03, 0.02], (5, 2)),
}

# μ₀, its interval, the three shares of draws and the three average probabilities, in this order.
REFERENCE = {
    "outlier": {
        "quadrature": [
            0.00857,
            -0.006414,
            0.019682,
            0.63064,
            0.306931,
            0.062429,
            0.478404,
            0.375186,
            0.14641,
        ],
        "tolerance": [
            0.000375,
            0.001165,
            0.00088,
            0.024065,
            0.02796,
            0.015835,
            0.00825,
            0.008315,
            0.01161,
        ],
        "nuts": [
            0.011263,
            0.008624,
            -0.001669,
            0.014826,
            0.00666,
            0.016135,
            -0.084909,
            0.009468,
            0.004317,
            0.011643,
            0.009163,
            0.022001,
        ],
        "nuts_error": 0.0006,
    },
    "close": {
        "quadrature": [
            -0.000531,
            -0.007132,
            0.006121,
            0.004111,
            0.989959,
            0.005931,
            0.031954,
            0.928118,
            0.039928,
        ],
        "tolerance": [
            0.000075,
            0.000325,
            0.000275,
            0.00331,
            0.006305,
            0.00582,
            0.00217,
            0.005665,
            0.004405,
        ],
        "nuts": [
            -0.000367,
            -0.000833,
            -0.000235,
            -0.00041,
            -0.001058,
            -0.000323,
            -0.000624,
            -0.000457,
        ],
        "nuts_error": 0.0001,
    },
    "two": {
        "quadrature": [
            0.019607,
            -0.083829,
            0.092198,
            0.70283,
            0.023379,
            0.273792,
            0.611965,
            0.089003,
            0.299032,
        ],
        "tolerance": [
            0.00156,
            0.00297,
            0.00152,
            0.02187,
            0.00746,
            0.024065,
            0.01042,
            0.005335,
            0.013215,
        ],
        "nuts": [0.041945, 0.022759],
        "nuts_error": 0.0015,
    },
}


def data(name):
    means, deviations, (runs, folds) = CASES[name]
    n = runs * folds
    pattern = special.ndtri((np.arange(n) + 0.5) / n)
    pattern /= pattern.std(ddof=1)
    rows = np.array(means)[:, None] + np.array(deviations)[:, None] * pattern
    return rows.reshape(-1, runs, folds)


@cache
def answer(name):
    return bayes_hierarchical(data(name))


def quick(x, **options):
    return bayes_hierarchical(x, **{"samples": 800, "rope": 0.01} | options)


@pytest.fixture
def short(monkeypatch):
    """Skip most of the warm-up where the law holds for any draws."""
    monkeypatch.setattr(hierarchical, "WARM_UP", 20)


def numbers(result):
    posterior, details = result.posterior, result.details
    return np.array(
        [result.estimate, result.interval.low, result.interval.high]
        + [getattr(posterior, name) for name in REGIONS]
        + [details["next_data_set"][name] for name in REGIONS]
        + [details["rhat"], details["ess"], *details["data_set_means"]]
    )


# --- other ways to the same posterior ------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_quadrature(name):
    """Values of `quadrature` below, on a finer grid; tolerances of five Monte-Carlo errors."""
    expected, tolerance = REFERENCE[name]["quadrature"], REFERENCE[name]["tolerance"]
    np.testing.assert_array_less(np.abs(numbers(answer(name))[:9] - expected), tolerance)


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_nuts_on_the_means(name):
    """Posterior means of the μᵢ by numpyro's NUTS, 4 chains of 5000 draws."""
    means = answer(name).details["data_set_means"]
    np.testing.assert_allclose(means, REFERENCE[name]["nuts"], atol=REFERENCE[name]["nuts_error"])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_quadrature_gives_the_recorded_values(name):
    np.testing.assert_allclose(quadrature(data(name)), REFERENCE[name]["quadrature"], atol=3e-3)


def quadrature(x, rope=0.01, step=2e-3, edge=4.0, scales=120, freedoms=60):
    """Posterior on a grid of μ₀, log σ₀ and log(ν − 1); the μᵢ are integrated by convolution.

    The likelihood is that of the full covariance matrix, with σᵢ integrated out in closed form.
    """
    q, rho = len(x), 1 / x.shape[-1]
    x = x.reshape(q, -1)
    n, unit = x.shape[1], np.abs(x).max()
    x = x / unit
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho)
    k, k1 = round(edge / step), round(1 / step)
    grid = np.arange(-k, k + 1) * step
    mu0 = grid[k - k1 : k + k1 + 1]
    sums = inverse.sum()
    squares = np.array(
        [r @ inverse @ r - 2 * grid * (inverse @ r).sum() + grid**2 * sums for r in x]
    )
    most = 1000 * x.std(axis=1, ddof=1).mean()
    logs = -(n - 1) / 2 * np.log(squares)
    logs += np.log(special.gammaincc((n - 1) / 2, squares / 2 / most**2))
    size = fft.next_fast_len(4 * grid.size)
    likelihood = fft.rfft(np.exp(logs - logs.max(axis=1, keepdims=True)), size, axis=1)

    high = np.log(1000 * x.mean(axis=1).std(ddof=1))
    log_scale = np.linspace(np.log(1e-5), high, scales)
    log_nu = np.linspace(np.log(1e-6), np.log(400), freedoms)
    nu = 1 + np.exp(log_nu)
    shapes, rates = np.linspace(0.5, 5, 200)[:, None], np.linspace(0.05, 0.15, 51)[:, None, None]
    prior = stats.gamma.pdf(np.exp(log_nu), shapes, scale=1 / rates).mean(axis=(0, 1))
    bins = (np.arange(-2 * k, 2 * k + 2) - 0.5) * step
    posterior = np.empty((freedoms, scales, mu0.size))
    for i in range(freedoms):
        for j in range(scales):
            kernel = np.diff(special.stdtr(nu[i], bins / np.exp(log_scale[j])))
            mixed = fft.irfft(likelihood * fft.rfft(kernel, size), size, axis=1)
            mixed = mixed[:, 3 * k - k1 : 3 * k + k1 + 1]
            posterior[i, j] = np.log(np.maximum(mixed, 1e-300)).sum(axis=0)
            posterior[i, j] += np.log(prior[i]) + log_nu[i] + log_scale[j]
    posterior = np.exp(posterior - posterior.max())
    posterior[..., [0, -1]] /= 2
    posterior[:, [0, -1]] /= 2
    posterior /= posterior.sum()

    nu, scale = nu[:, None, None], np.exp(log_scale)[:, None]
    above = special.stdtr(nu, (mu0 - rope / unit) / scale)
    below = special.stdtr(nu, (-rope / unit - mu0) / scale)
    theta = np.stack([above, 1 - above - below, below])
    winner = theta.argmax(axis=0)
    marginal = posterior.sum(axis=(0, 1))
    low, high = np.interp([0.025, 0.975], np.cumsum(marginal) - marginal / 2, mu0)
    return np.array(
        [unit * marginal @ mu0, unit * low, unit * high]
        + [posterior[winner == region].sum() for region in range(3)]
        + [(posterior * theta[region]).sum() for region in range(3)]
    )


@pytest.mark.slow
def test_ranks_are_uniform():
    """Simulation-based calibration: parameters from the prior rank evenly among their draws.

    The bounds of the priors are fixed here; by rights they depend on the data. Data with means
    outside (−1, 1) cannot occur in these units and are passed over, which calibration allows.
    """
    random = np.random.default_rng(20)
    q, n, rho, bounds = 6, 10, 0.2, (0.5, 0.3)
    width = (1 + (n - 1) * rho) / n
    ranks = []
    while len(ranks) < 340:
        shape, rate = random.uniform(0.5, 5), random.uniform(0.05, 0.15)
        truth = random.uniform(-1, 1), random.uniform(0, bounds[1]), random.gamma(shape, 1 / rate)
        mu = truth[0] + truth[1] * random.standard_t(1 + truth[2], q)
        sigma = random.uniform(0, bounds[0], q)
        mean = random.normal(mu, sigma * np.sqrt(width))
        if np.abs(mean).max() > 1:
            continue
        squares = sigma**2 * random.chisquare(n - 1, q)  # over 1 − ρ, as the sampler wants it
        sampled = hierarchical._Data(
            mean=mean,
            squares=squares,
            width=np.full(q, width),
            shape=np.full(q, (n - 1) / 2),
            flat=np.zeros(q, dtype=bool),
            rope=0.1,
            sigma_most=bounds[0],
            scale_most=bounds[1],
            unit=1.0,
        )
        draws, _ = hierarchical._sample(sampled, 1, random)  # one draw of each of the chains
        ranks.append(
            [(draw < value).sum() for draw, value in zip(draws[:, 0], _logs(truth), strict=True)]
        )
    for column in np.transpose(ranks):
        seen = np.bincount(column, minlength=hierarchical.CHAINS + 1)
        assert stats.chisquare(seen).pvalue > 1e-3
        assert abs(column.mean() - 8) < 4 * np.sqrt(24 / len(ranks))


def _logs(truth):
    return truth[0], np.log(truth[1]), np.log(truth[2])


# --- laws ----------------------------------------------------------------------------------------


def test_result_has_the_agreed_parts():
    result = answer("outlier")
    assert result.method == "bayes-hierarchical"
    assert result.pvalue is None
    assert result.statistic == result.estimate
    assert result.n == 12
    assert result.estimate in result.interval
    assert result.interval.confidence == 0.95
    assert result.notes == ()
    assert result.posterior.rope == 0.01
    assert sum(getattr(result.posterior, name) for name in REGIONS) == pytest.approx(1)
    assert sum(result.details["next_data_set"].values()) == pytest.approx(1)
    assert 0.99 < result.details["rhat"] < 1.02
    assert result.details["ess"] > 4000
    assert result.details["rho"] == pytest.approx(0.1)
    assert "P(practically equal)" in str(result)


@pytest.mark.usefixtures("short")
def test_same_seed_same_bytes_and_other_seed_other_draws():
    x = data("two")
    assert numbers(quick(x)).tobytes() == numbers(quick(x)).tobytes()
    assert quick(x, seed=1).estimate != quick(x).estimate


@pytest.mark.usefixtures("short")
def test_swapping_the_learners_mirrors_the_answer():
    x = data("close")
    there, back = numbers(quick(x)), numbers(quick(-x))
    np.testing.assert_array_equal(back[0], -there[0])
    np.testing.assert_array_equal(back[1:3], -there[2:0:-1])
    np.testing.assert_array_equal(back[3:6], there[5:2:-1])
    np.testing.assert_array_equal(back[6:9], there[8:5:-1])
    np.testing.assert_array_equal(back[11:], -there[11:])


@pytest.mark.usefixtures("short")
def test_the_unit_of_the_scores_does_not_matter():
    x = data("outlier")
    small, large = numbers(quick(x)), numbers(quick(100 * x, rope=1.0))
    np.testing.assert_allclose(large[:3], 100 * small[:3], rtol=1e-6)
    np.testing.assert_allclose(large[3:11], small[3:11], rtol=1e-6)
    np.testing.assert_allclose(large[11:], 100 * small[11:], rtol=1e-6, atol=1e-9)


@pytest.mark.usefixtures("short")
def test_forms_of_the_same_data_give_the_same_answer():
    x = data("close")[:3]
    base = random_b(x)
    expected = numbers(quick(x))
    flat = x.reshape(3, -1)
    for result in (
        quick(list(x)),
        quick(flat, rho=0.1),
        quick([list(row) for row in flat], n_train=90, n_test=10),
    ):
        np.testing.assert_allclose(numbers(result), expected, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(numbers(quick(x + base, b=base)), expected, rtol=1e-4, atol=1e-6)


def random_b(x):
    return np.random.default_rng(0).uniform(0.6, 0.9, x.shape)


@pytest.mark.usefixtures("short")
def test_data_sets_of_unequal_size_and_folds():
    x = data("outlier")
    result = quick([x[0], x[1][:3], x[2][:, :5]])
    np.testing.assert_allclose(result.details["rho"], [0.1, 0.1, 0.2])
    assert np.isfinite(numbers(result)).all()
    sizes = quick([x[0][0], x[1][0, :7]], n_train=[90, 80], n_test=[10, 20])
    np.testing.assert_allclose(sizes.details["rho"], [0.1, 0.2])
    with pytest.raises(InputError, match="fit the scores"):
        quick([x[0][0], x[1][0, :7]], n_train=[90, 80, 70], n_test=10)


def test_means_shrink_towards_the_middle():
    """Each posterior mean lies between the data set's own mean and μ₀; noisy ones move more."""
    x, result = data("outlier"), answer("outlier")
    means, shrunken = x.mean(axis=(1, 2)), result.details["data_set_means"]
    moved = (means - shrunken) / (means - result.estimate)
    clear = np.abs(means - result.estimate) > 0.003
    assert ((moved > 0) & (moved < 1))[clear].all()
    assert np.ptp(shrunken) < np.ptp(means)
    assert moved[6] < moved[3]  # the outlier is let go by the t, the noisy neighbour is not
    close = answer("close").details["data_set_means"]
    assert np.ptp(close) < 0.5 * np.ptp(CASES["close"][0])


@pytest.mark.usefixtures("short")
def test_rope_moves_only_the_decision():
    x = data("two")
    none, wide = quick(x, rope=0), quick(x, rope=10)
    assert none.estimate == wide.estimate
    assert none.posterior.equivalent == 0
    assert none.details["next_data_set"]["equivalent"] < 1e-12
    assert wide.posterior.equivalent == 1


@pytest.mark.usefixtures("short")
def test_confidence_nests():
    x = data("two")
    half, most = quick(x, confidence=0.5).interval, quick(x, confidence=0.99).interval
    assert most.low < half.low < half.high < most.high


def test_clear_winner():
    assert quick(data("close") - 0.1).posterior.b_better > 0.99


# --- edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, 0.05])
def test_a_data_set_without_spread_keeps_its_mean(value):
    x = data("outlier").copy()
    x[3] = value
    result = quick(x)
    assert result.notes[0].code == "zero-variance"
    assert "1 of 12" in result.notes[0].detail
    assert np.isfinite(numbers(result)).all()
    assert abs(result.details["data_set_means"][3] - value) < 0.01


def test_spread_whose_square_is_lost_is_none():
    flat = bayes_hierarchical([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0]], rope=0.1, rho=1 / 3)
    tiny = bayes_hierarchical([[1e-301, 3e-301, 2e-301], [1.0, 2.0, 4.0]], rope=0.1, rho=1 / 3)
    assert tiny.details["next_data_set"] == pytest.approx(flat.details["next_data_set"])


def test_no_spread_anywhere():
    zero = quick(np.zeros((5, 10, 10)))
    assert zero.posterior.equivalent > 0.95
    assert abs(zero.estimate) < 0.002
    same = quick(np.full((4, 10, 10), 0.05), rope=0)
    assert same.posterior.a_better > 0.95
    assert np.isfinite(numbers(same)).all()


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_extreme_units(scale):
    x = data("two")
    result = quick(x * scale, rope=0.01 * scale)
    np.testing.assert_allclose(numbers(result)[3:9], numbers(quick(x))[3:9], rtol=1e-6)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "x",
    [
        [[0.1, 0.1], [0.0, 0.02]],
        [[0.01, 0.03], [1e6, 1e6 + 1]],
        [[1.0, 1.0 + 1e-9], [2.0, 2.0 + 1e-9], [3.0, 3.0 - 1e-9]],
        [[0.02, -0.02], [0.01, -0.01]],
    ],
)
def test_two_differences_each(x):
    result = quick(x, rho=0.5)
    assert np.isfinite(numbers(result)).all()
    assert result.estimate in result.interval


def test_warning_where_the_chains_disagree(monkeypatch):
    monkeypatch.setattr(hierarchical, "WARM_UP", 0)
    result = bayes_hierarchical(data("outlier"), samples=400)
    (note,) = result.notes
    assert (note.code, note.severity) == ("not-converged", "warning")
    assert result.details["rhat"] > 1.05


def test_diagnostics_on_known_chains():
    """An autoregressive chain with coefficient 0.6 is worth a quarter of its length."""
    random = np.random.default_rng(3)
    noise = random.standard_normal((4000, 16))
    chain = np.empty_like(noise)
    chain[0] = noise[0]
    for i in range(1, len(noise)):
        chain[i] = 0.6 * chain[i - 1] + 0.8 * noise[i]
    assert markov_chains.effective_size(chain) == pytest.approx(64000 / 4, rel=0.05)
    assert markov_chains.effective_size(noise) == pytest.approx(64000, rel=0.05)
    assert markov_chains.split_rhat(noise) == pytest.approx(1, abs=1e-3)
    assert markov_chains.split_rhat(noise + np.linspace(0, 2, 4000)[:, None]) > 1.1
    assert markov_chains.split_rhat(np.zeros((10, 4))) == 1
    assert markov_chains.effective_size(np.zeros((10, 4))) == 40


def test_prior_of_the_degrees_of_freedom_is_a_density():
    grid, log_density = hierarchical._nu_prior()
    density = np.exp(log_density) * 0.25  # the weights of the quadrature sum to 4
    assert integrate.trapezoid(density, grid) == pytest.approx(1, abs=1e-4)
    mean = integrate.trapezoid(density * np.exp(grid), grid)
    assert mean == pytest.approx(2.75 * np.log(3) / 0.1, rel=1e-4)  # E[a] E[1/b]


X = np.random.default_rng(1).normal(0, 0.1, (3, 4, 5))


@pytest.mark.parametrize(
    ("a", "options", "words"),
    [
        (X[:1], {}, "at least 2 data sets"),
        ([X[0], X[1, :, :1]], {}, "at least 2 folds"),
        ([[0.1], [0.2]], {"rho": 0.1}, "at least 2 differences"),
        (X[:, 0], {}, "`rho` must be given"),
        (X[0, 0], {"rho": 0.1}, "each data set's differences"),
        ([0.1, 0.2], {"rho": 0.1}, "each data set's differences"),
        ([], {}, "each data set's differences"),
        (0.1, {}, "each data set's differences"),
        ([X[0], X[1, 0]], {}, "each data set's differences"),
        (X[None], {}, "each data set's differences"),
        (np.where(X > 0.1, np.nan, X), {}, "finite"),
        ([["a", "b"], ["c", "d"]], {"rho": 0.1}, "numbers"),
        (X, {"b": X[:2]}, "same shape"),
        (X, {"n_train": 90}, "together"),
        (X, {"rho": 0.1, "n_train": 90, "n_test": 10}, "together"),
        (X, {"rho": 1.0}, "`rho` must lie"),
        (X, {"rope": -0.01}, "`rope` must be"),
        (X, {"rope": np.nan}, "`rope` must be"),
        (X * 0, {"rope": 0}, "`rope` must be larger"),
        (X, {"samples": 10}, "`samples` must be"),
        (X, {"confidence": 95}, "`confidence` must lie"),
        (X, {"seed": -1}, "`seed` must be"),
    ],
)
def test_input_that_cannot_be_used(a, options, words):
    with pytest.raises(InputError, match=words) as caught:
        bayes_hierarchical(a, **options)
    assert str(caught.value).count("\n") == 1


def test_overflowing_differences_are_refused():
    with pytest.raises(InputError, match="must not exceed"):
        bayes_hierarchical(X * 0 + 1.5e308, X * 0 - 1.5e308)
