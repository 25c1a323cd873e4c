# Reference values for the tests, computed by R.
#
#   Rscript references.R        writes r.json next to this script
#
# Debian: r-base-core r-cran-{mvtnorm,multcomp,coin,exactranktests,car,mass,jsonlite}.
#
# Conventions of r.json
#   * A table is a list of rows; rows are data sets (blocks), columns are learners.
#   * null stands for an infinite number: a df of null is Inf, the null end of a
#     one-sided interval is -Inf (lower) or Inf (upper).  A null cell of a table is missing.
#   * Learner indices (pairs, control) start at 0.
#   * Ranks within rows: 1 is the HIGHEST score in cases named "ranks" (as in Demsar 2006);
#     rank statistics do not depend on the direction.
#   * Where ties matter, R was given integers (scores times a power of ten), because
#     0.768 - 0.763 and 0.888 - 0.883 differ in floating point.
#   * Numbers are printed to 15 significant digits.

suppressPackageStartupMessages({
  library(mvtnorm); library(multcomp); library(coin)
  library(exactRankTests); library(car); library(MASS); library(jsonlite)
})
options(warn = 1)

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- if (length(script)) dirname(script[1]) else "."

cases <- list()
add <- function(name, input, call, value) {
  if (name %in% names(cases)) stop("case named twice: ", name)
  cases[[name]] <<- list(name = name, input = input, call = call, value = value)
}
num  <- function(x) unname(as.vector(x))          # a number without names or attributes
arr  <- function(x) I(num(x))                     # always an array, even of length 1
tab  <- function(m) { m <- as.matrix(m); dimnames(m) <- NULL; m }
same <- function(a, b, tol = 1e-9) stopifnot(max(abs(num(a) - num(b))) <= tol)
alts <- c("two.sided", "less", "greater")

# Composite Gauss-Legendre quadrature, and E f(s) for s = sqrt(chisq_df / df) (s = 1 for df = Inf).
# `dense` multiplies the number of panels; halving the panels shows the accuracy.
gauss <- local({                                       # 16 nodes on [-1, 1] (Golub-Welsch)
  i <- 1:15; J <- matrix(0, 16, 16); J[cbind(i, i + 1)] <- J[cbind(i + 1, i)] <- i / sqrt(4 * i^2 - 1)
  e <- eigen(J, symmetric = TRUE); list(x = e$values, w = 2 * e$vectors[1, ]^2)
})
nodes <- function(lo, hi, panels) {
  h <- (hi - lo) / panels; mid <- lo + h * (seq_len(panels) - .5)
  list(x = as.vector(outer(gauss$x * h / 2, mid, "+")), w = rep(gauss$w * h / 2, panels))
}
over_scale <- function(f, df, dense = 1) {             # f takes a vector of s
  if (is.infinite(df)) return(f(1))
  lim <- sqrt(c(qchisq(1e-20, df), qchisq(1e-20, df, lower.tail = FALSE)) / df)
  s <- nodes(lim[1], lim[2], 16 * dense)
  sum(s$w * 2 * s$x * df * dchisq(s$x^2 * df, df) * f(s$x))
}
over_normal <- function(g, s, dense = 1) {             # for each s the integral of dnorm(z) g(z, s)
  z <- nodes(-9, 9, 16 * dense)
  as.vector((z$w * dnorm(z$x)) %*% outer(z$x, s, g))
}

# Studentized range; range_upper() is ptukey(lower = FALSE) by quadrature
range_upper <- function(q, k, df, dense = 1)
  over_scale(function(s) over_normal(function(z, s) k * (pnorm(z, lower.tail = FALSE)^(k - 1) - (pnorm(z + q * s) - pnorm(z))^(k - 1)), s, dense), df, dense)

# ---------------------------------------------------------------- inputs

# Demsar (2006), JMLR 7, Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf.
T6 <- matrix(c(
  .763, .768, .771, .798,
  .599, .591, .590, .569,
  .954, .971, .968, .967,
  .628, .661, .654, .657,
  .882, .888, .886, .898,
  .936, .931, .916, .931,
  .661, .668, .609, .685,
  .583, .583, .563, .625,
  .775, .838, .866, .875,
  1.000, 1.000, 1.000, 1.000,
  .940, .962, .965, .962,
  .619, .666, .614, .669,
  .972, .981, .975, .975,
  .957, .978, .946, .970), ncol = 4, byrow = TRUE)
# The ranks as printed.  "voting" is printed 4 1 2 3 although its scores tie at .975
# (the paper ranked unrounded scores), so these differ from the ranks of T6.
T6_printed <- matrix(c(
  4, 3, 2, 1,
  1, 2, 3, 4,
  4, 1, 2, 3,
  4, 1, 3, 2,
  4, 2, 3, 1,
  1, 2.5, 4, 2.5,
  3, 2, 4, 1,
  2.5, 2.5, 4, 1,
  4, 3, 2, 1,
  2.5, 2.5, 2.5, 2.5,
  4, 2.5, 1, 2.5,
  3, 2, 4, 1,
  4, 1, 2, 3,
  3, 1, 4, 2), ncol = 4, byrow = TRUE)
same(round(colMeans(T6_printed), 3), c(3.143, 2, 2.893, 1.964))

synthetic <- function(seed, n, effects, noise, digits) {
  set.seed(seed)
  k <- length(effects)
  round(matrix(runif(n, .55, .9), n, k) + rep(effects, each = n) +
          matrix(rnorm(n * k, 0, noise), n, k), digits)
}
U <- synthetic(11, 12, c(0, .015, .01, .04, .02), .02, 4)
W <- synthetic(22, 20, c(0, .005, .01, .0, .02, .03), .03, 4)
set.seed(33)
V <- matrix(sample(seq(.70, .80, by = .02), 24, replace = TRUE) +
              rep(c(0, .02, .02), each = 8), 8, 3)
V <- round(V, 3)
set.seed(44)
X <- round(matrix(rnorm(100, .012, .03), 10, 10), 4)   # runs x folds
set.seed(55)
Y <- round(matrix(rnorm(10, .02, .02), 5, 2), 4)       # replications x folds

int <- function(m) round(m * 1e4)                      # exact ties
row_ranks <- function(m) t(apply(-int(m), 1, rank))    # 1 = highest
tables <- list(T6 = T6, U = U, V = V, W = W)
stopifnot(all(apply(U, 1, function(r) !anyDuplicated(r))),
          any(apply(V, 1, anyDuplicated) > 0))

pairs2 <- list(T2 = T6[, 1:2], U01 = U[, 1:2], U03 = U[, c(1, 4)],
               V01 = V[, 1:2], V02 = V[, c(1, 3)], W05 = W[, c(1, 6)], W13 = W[, c(2, 4)])
diffs <- lapply(pairs2, function(m) int(m[, 1]) - int(m[, 2]))     # times 1e4, exact
untied <- names(diffs)[sapply(diffs, function(d) all(d != 0) && !anyDuplicated(abs(d)))]
tied   <- setdiff(names(diffs), untied)
stopifnot(c("U01", "U03") %in% untied, length(untied) >= 3, c("T2", "V01", "V02") %in% tied)
xy <- function(id, ...) list(x = pairs2[[id]][, 1], y = pairs2[[id]][, 2], ...)

# ---------------------------------------------------------------- two learners

for (id in names(pairs2)) for (a in alts) for (level in c(.95, .90)) {
  r <- t.test(pairs2[[id]][, 1], pairs2[[id]][, 2], paired = TRUE, alternative = a, conf.level = level)
  add(sprintf("t_test_paired/%s/%s/%g", id, a, level), xy(id, alternative = a, conf_level = level),
      "t.test(x, y, paired = TRUE, alternative =, conf.level =)",
      list(statistic = num(r$statistic), df = num(r$parameter), p = r$p.value,
           estimate = num(r$estimate), interval = arr(r$conf.int)))
}

for (id in names(pairs2)) for (a in alts) {                    # sign test, ties dropped
  wins <- sum(diffs[[id]] > 0); losses <- sum(diffs[[id]] < 0)
  r <- binom.test(wins, wins + losses, alternative = a)
  add(sprintf("sign_test/%s/%s", id, a), xy(id, alternative = a),
      "binom.test(sum(x > y), sum(x != y), alternative =)",
      list(wins = wins, losses = losses, ties = sum(diffs[[id]] == 0), p = r$p.value))
}
for (xn in list(c(0, 10), c(10, 10), c(1, 14), c(3, 14), c(7, 14), c(11, 14), c(12, 20),
                c(0, 1), c(1, 1), c(45, 100), c(130, 200), c(998, 1000))) for (a in alts) {
  x <- xn[1]; n <- xn[2]
  r <- binom.test(x, n, alternative = a); r9 <- binom.test(x, n, alternative = a, conf.level = .9)
  add(sprintf("binom_test/%d_of_%d/%s", x, n, a), list(x = x, n = n, p0 = .5, alternative = a),
      "binom.test(x, n, alternative =)  # Clopper-Pearson intervals",
      list(p = r$p.value, estimate = num(r$estimate), interval_95 = arr(r$conf.int), interval_90 = arr(r9$conf.int)))
  r <- suppressWarnings(prop.test(x, n, alternative = a, correct = FALSE))
  r9 <- suppressWarnings(prop.test(x, n, alternative = a, correct = FALSE, conf.level = .9))
  add(sprintf("wilson/%d_of_%d/%s", x, n, a), list(x = x, n = n, p0 = .5, alternative = a),
      "prop.test(x, n, alternative =, correct = FALSE)  # Wilson intervals",
      list(chisq = num(r$statistic), p = r$p.value, estimate = num(r$estimate),
           interval_95 = arr(r$conf.int), interval_90 = arr(r9$conf.int)))
}
for (q in list(c(3, 10, .3), c(8, 10, .3), c(15, 40, .25))) {   # p0 other than 1/2
  r <- binom.test(q[1], q[2], p = q[3])
  add(sprintf("binom_test/%d_of_%d/p0=%g", q[1], q[2], q[3]),
      list(x = q[1], n = q[2], p0 = q[3], alternative = "two.sided"), "binom.test(x, n, p = p0)",
      list(p = r$p.value, estimate = num(r$estimate), interval_95 = arr(r$conf.int),
           interval_90 = arr(binom.test(q[1], q[2], p = q[3], conf.level = .9)$conf.int)))
}

for (t4 in list(c(794, 86, 150, 570), c(50, 10, 3, 37), c(20, 1, 6, 5), c(10, 5, 5, 10), c(30, 0, 4, 2), c(101, 59, 121, 33))) {
  m <- matrix(t4, 2, byrow = TRUE)
  r1 <- mcnemar.test(m, correct = TRUE); r0 <- mcnemar.test(m, correct = FALSE)
  add(paste0("mcnemar/", paste(t4, collapse = "_")), list(table = m),
      "mcnemar.test(table, correct = TRUE / FALSE); exact: binom.test(b, b + c)",
      list(corrected = list(statistic = num(r1$statistic), p = r1$p.value),
           uncorrected = list(statistic = num(r0$statistic), p = r0$p.value),
           exact = list(p = binom.test(m[1, 2], m[1, 2] + m[2, 1])$p.value)))
}

# Wilcoxon signed ranks
signflip <- function(scores, positive, alternative) {      # all 2^n sign patterns, by convolution
  s <- round(2 * scores); total <- sum(s)
  f <- c(1, rep(0, total))
  for (v in s) f <- (f + c(rep(0, v), f[seq_len(total + 1 - v)])) / 2
  w <- round(2 * sum(scores[positive])); at <- 0:total
  up <- sum(f[at >= w]); low <- sum(f[at <= w])
  switch(alternative, less = low, greater = up, two.sided = min(1, 2 * min(up, low)))
}
walsh <- function(d) { m <- outer(d, d, "+") / 2; sort(m[!lower.tri(m)]) }

for (id in untied) for (a in alts) for (level in c(.95, .90)) {
  r <- wilcox.test(pairs2[[id]][, 1], pairs2[[id]][, 2], paired = TRUE, exact = TRUE,
                   alternative = a, conf.int = TRUE, conf.level = level)
  same(r$p.value, signflip(rank(abs(diffs[[id]])), diffs[[id]] > 0, a), 1e-12)
  add(sprintf("wilcoxon_exact/%s/%s/%g", id, a, level), xy(id, alternative = a, conf_level = level),
      "wilcox.test(x, y, paired = TRUE, exact = TRUE, conf.int = TRUE, alternative =, conf.level =)",
      list(w_plus = num(r$statistic), p = r$p.value, pseudomedian = num(r$estimate), interval = arr(r$conf.int)))
}
for (id in names(diffs)) for (a in alts) {
  d <- diffs[[id]]; nz <- d[d != 0]
  rw <- rank(abs(nz)); rp <- rank(abs(d))[d != 0]          # zeros dropped before / after ranking
  e <- wilcox.exact(nz, alternative = a, exact = TRUE)
  x <- int(pairs2[[id]][, 1]); y <- int(pairs2[[id]][, 2])
  one <- function(zero, dist) wilcoxsign_test(x ~ y, alternative = a, zero.method = zero, distribution = dist)
  cw <- one("Wilcoxon", "exact"); cp <- one("Pratt", "exact")
  same(e$p.value, pvalue(cw), 1e-10)
  same(pvalue(cw), signflip(rw, nz > 0, a), 1e-10); same(pvalue(cp), signflip(rp, nz > 0, a), 1e-10)
  add(sprintf("wilcoxon_ties/%s/%s", id, a), xy(id, d = d / 1e4, alternative = a),
      paste("coin::wilcoxsign_test(x ~ y, zero.method =, distribution = 'exact' / 'asymptotic', alternative =),",
            "x and y as integers; wilcox.exact agrees; so does enumeration of all signs"),
      list(zeros = sum(d == 0),
           wilcoxon = list(w_plus = sum(rw[nz > 0]), w_minus = sum(rw[nz < 0]), p_exact = num(pvalue(cw)),
                           z = num(statistic(cw)), p_asymptotic = num(pvalue(one("Wilcoxon", "asymptotic")))),
           pratt = list(w_plus = sum(rp[nz > 0]), w_minus = sum(rp[nz < 0]), p_exact = num(pvalue(cp)),
                        z = num(statistic(cp)), p_asymptotic = num(pvalue(one("Pratt", "asymptotic"))))))
  n1 <- suppressWarnings(wilcox.test(x, y, paired = TRUE, exact = FALSE, correct = TRUE, alternative = a))
  n0 <- suppressWarnings(wilcox.test(x, y, paired = TRUE, exact = FALSE, correct = FALSE, alternative = a))
  add(sprintf("wilcoxon_normal/%s/%s", id, a), xy(id, d = d / 1e4, alternative = a),
      "wilcox.test(x, y, paired = TRUE, exact = FALSE, correct = TRUE / FALSE, alternative =)  # zeros dropped",
      list(w_plus = num(n1$statistic), p_corrected = n1$p.value, p_uncorrected = n0$p.value))
}
for (id in names(diffs)) {
  d <- diffs[[id]]
  hl <- list(all = median(walsh(d)) / 1e4, without_zeros = median(walsh(d[d != 0])) / 1e4)
  add(paste0("hodges_lehmann/", id), xy(id, d = d / 1e4),
      "median of the Walsh averages (d[i] + d[j]) / 2, i <= j; without_zeros: of the nonzero d", hl)
  s <- as.matrix(expand.grid(rep(list(c(-1, 1)), min(length(d), 14))))
  if (length(d) <= 14) {
    tot <- s %*% abs(d)
    add(paste0("signflip_mean/", id), xy(id, d = d / 1e4),
        "share of all 2^n sign patterns with |sum| (sum) at least as extreme as observed",
        list(two.sided = mean(abs(tot) >= abs(sum(d))), less = mean(tot <= sum(d)), greater = mean(tot >= sum(d))))
  }
}
for (n in c(1:12, 15, 20, 25, 30, 35, 40)) {
  q <- unique(round(seq(0, n * (n + 1) / 2, length.out = min(25, n * (n + 1) / 2 + 1))))
  pr <- c(.001, .005, .01, .025, .05, .1, .25, .5, .75, .9, .95, .975, .99)
  add(paste0("signrank/n=", n), list(n = n, q = arr(q), prob = arr(pr)),
      "psignrank(q, n), psignrank(q, n, lower.tail = FALSE) [P(W > q)], qsignrank(prob, n)",
      list(lower = arr(psignrank(q, n)), upper = arr(psignrank(q, n, lower.tail = FALSE)), quantile = arr(qsignrank(pr, n))))
}

# Noncentral t interval for the paired Cohen's d (mean / sd of the differences)
ncp_off <- 0
for (dn in list(c(0, 10), c(.2, 14), c(.5, 14), c(.8, 10), c(-.6, 20), c(1.5, 8), c(.35, 50), c(2.5, 12)))
  for (level in c(.95, .90)) {
    d <- dn[1]; n <- dn[2]; t <- d * sqrt(n)
    solve_ncp <- function(p, cdf) uniroot(function(l) cdf(l) - p, t + c(-12, 12), tol = 1e-13)$root
    by <- function(cdf) c(solve_ncp((1 + level) / 2, cdf), solve_ncp((1 - level) / 2, cdf))
    ncp <- by(function(l) suppressWarnings(pt(t, n - 1, l)))
    ncp2 <- by(function(l) over_scale(function(s) pnorm(t * s - l), n - 1))      # P(T <= t) = E pnorm(t s - ncp)
    same(ncp, ncp2, 1e-7); ncp_off <- max(ncp_off, abs(ncp - ncp2))
    add(sprintf("cohen_d_interval/d=%g/n=%d/%g", d, n, level), list(d = d, n = n, conf_level = level),
        "ncp with P(T <= d sqrt(n); n - 1, ncp) = (1 + level)/2 and (1 - level)/2 by uniroot, over sqrt(n); by quadrature (about 1e-11), pt() agrees to better than 1e-7",
        list(t = t, ncp = arr(ncp2), interval = arr(ncp2 / sqrt(n)), ncp_by_pt = arr(ncp)))
  }
message("noncentral t: ncp by pt against quadrature, largest difference ", ncp_off)

# Resampled comparisons
resampled <- function(id, d, level) {
  k <- ncol(d); r <- nrow(d); n <- k * r
  se <- sqrt((1 / n + 1 / (k - 1)) * var(as.vector(d))); m <- mean(d); t <- m / se; df <- n - 1
  add(sprintf("corrected_resampled_t/%s/%g", id, level), list(d = d, runs = r, folds = k, conf_level = level),
      "m / sqrt((1/(kr) + 1/(k-1)) var(d)), df = kr - 1, pt (Nadeau & Bengio 2003)",
      list(statistic = t, df = df, mean = m, se = se, p_two.sided = 2 * pt(-abs(t), df), p_less = pt(t, df),
           p_greater = pt(t, df, lower.tail = FALSE), interval = arr(m + c(-1, 1) * qt((1 + level) / 2, df) * se)))
}
for (level in c(.95, .90)) { resampled("X", X, level); resampled("Y", Y, level) }
five_by_two <- function(id, d) {
  s2 <- apply(d, 1, function(p) sum((p - mean(p))^2))
  t <- d[1, 1] / sqrt(mean(s2))
  add(paste0("cv52_t/", id), list(d = d), "d[1,1] / sqrt(mean(s2)), s2[i] = sum((d[i,] - mean(d[i,]))^2), df = 5 (Dietterich 1998)",
      list(statistic = t, df = 5, p_two.sided = 2 * pt(-abs(t), 5), p_less = pt(t, 5), p_greater = pt(t, 5, lower.tail = FALSE)))
  f <- sum(d^2) / (2 * sum(s2))
  add(paste0("cv52_f/", id), list(d = d), "sum(d^2) / (2 sum(s2)), pf(., 10, 5, lower = FALSE) (Alpaydin 1999)",
      list(statistic = f, df1 = 10, df2 = 5, p = pf(f, 10, 5, lower.tail = FALSE)))
}
five_by_two("Y", Y)
five_by_two("X5x2", X[1:5, 1:2])

# ---------------------------------------------------------------- several learners: ranks

friedman <- function(id, m, label) {
  n <- nrow(m); k <- ncol(m)
  r <- friedman.test(int(m)); q <- num(r$statistic)
  f <- (n - 1) * q / (n * (k - 1) - q)
  rk <- if (label == "printed ranks") m else row_ranks(m)
  plain <- 12 * n / (k * (k + 1)) * (sum(colMeans(rk)^2) - k * (k + 1)^2 / 4)   # without tie correction
  fp <- (n - 1) * plain / (n * (k - 1) - plain)
  add(paste0("friedman/", id), list(table = m, are_ranks = label == "printed ranks"),
      "friedman.test(table) (tie-corrected); Iman-Davenport F = (N-1)Q/(N(k-1)-Q); *_uncorrected: 12N/(k(k+1)) [sum R^2 - k(k+1)^2/4]",
      list(mean_ranks = arr(colMeans(rk)), statistic = q, df = num(r$parameter), p = r$p.value,
           f = f, f_df1 = k - 1, f_df2 = (k - 1) * (n - 1), f_p = pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE),
           statistic_uncorrected = plain, p_uncorrected = pchisq(plain, k - 1, lower.tail = FALSE),
           f_uncorrected = fp, f_p_uncorrected = pf(fp, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)))
  s <- colSums(rk); ties <- sum(apply(rk, 1, function(v) { u <- table(v); sum(u^3 - u) }))
  w <- 12 * sum((s - mean(s))^2) / (n^2 * (k^3 - k) - n * ties)
  same(w, q / (n * (k - 1)), 1e-12)
  add(paste0("kendall_w/", id), list(table = m, are_ranks = label == "printed ranks"),
      "12 S / (N^2 (k^3 - k) - N sum(t^3 - t)), S = sum((R_j - mean)^2); equals Friedman / (N (k - 1))",
      list(w = w, p = pchisq(n * (k - 1) * w, k - 1, lower.tail = FALSE)))
}
for (id in names(tables)) friedman(id, tables[[id]], "scores")
friedman("T6_printed_ranks", T6_printed, "printed ranks")
for (id in names(tables))
  add(paste0("ranks/", id), list(table = tables[[id]]), "rank(-row) in each row, mid-ranks", list(ranks = tab(row_ranks(tables[[id]]))))

# Exact Friedman: every permutation of every row
permutations <- function(v) if (length(v) <= 1) matrix(v, 1) else
  do.call(rbind, lapply(seq_along(v), function(i) cbind(v[i], permutations(v[-i]))))
friedman_exact <- function(id, m) {
  rk <- row_ranks(m); ss <- function(s) rowSums((s - mean(s[1, ]))^2)
  sums <- matrix(0, 1, ncol(m))
  for (i in seq_len(nrow(m))) {
    p <- permutations(rk[i, ])
    sums <- sums[rep(seq_len(nrow(sums)), each = nrow(p)), , drop = FALSE] + p[rep(seq_len(nrow(p)), nrow(sums)), ]
  }
  stopifnot(nrow(sums) == factorial(ncol(m))^nrow(m))
  obs <- ss(t(colSums(rk))); all <- ss(sums); hits <- sum(all >= obs - 1e-9)
  add(paste0("friedman_exact/", id), list(table = m), "share of all (k!)^N within-row permutations of the ranks with a statistic >= observed",
      list(statistic = num(friedman.test(int(m))$statistic), hits = hits, total = nrow(sums), p = hits / nrow(sums)))
}
set.seed(66)
friedman_exact("k3N4", round(matrix(runif(12) + rep(c(0, .3, .5), each = 4), 4, 3), 3))
friedman_exact("k4N3", round(matrix(runif(12) + rep(c(0, .3, .2, .9), each = 3), 3, 4), 3))
friedman_exact("k3N4_perfect", matrix(rep(c(.1, .2, .3), each = 4), 4, 3))
friedman_exact("k3N4_ties", matrix(c(.5, .5, .7, .4, .6, .6, .5, .7, .9, .6, .5, .8), 4, 3, byrow = TRUE))
friedman_exact("k4N3_ties", matrix(c(.5, .5, .7, .9, .4, .6, .6, .8, .7, .7, .7, .9), 3, 4, byrow = TRUE))
friedman_exact("U_k5N3", U[1:3, ])
friedman_exact("V_k3N8", V)

for (id in names(tables)) {
  r <- quade.test(int(tables[[id]]))
  add(paste0("quade/", id), list(table = tables[[id]]), "quade.test(table as integers, so that tied ranges tie)",
      list(statistic = num(r$statistic), df1 = num(r$parameter[1]), df2 = num(r$parameter[2]), p = r$p.value,
           row_range_ranks = arr(rank(apply(int(tables[[id]]), 1, function(v) diff(range(v)))))))
  rf <- quade.test(tables[[id]])
  if (abs(rf$statistic - r$statistic) > 1e-9)
    message("quade.test of ", id, ": floating-point ranges give ", rf$statistic, ", integers ", r$statistic)
}

for (id in names(tables)) {
  m <- tables[[id]]; n <- nrow(m); k <- ncol(m)
  aligned <- k * int(m) - rowSums(int(m))                       # k * 1e4 * (score - row mean), exact
  rk <- matrix(rank(-aligned), n, k); rc <- colSums(rk); rr <- rowSums(rk)
  above <- (k - 1) * (sum(rc^2) - k * n^2 / 4 * (k * n + 1)^2)
  t0 <- above / (k * n * (k * n + 1) * (2 * k * n + 1) / 6 - sum(rr^2) / k)
  t1 <- above / (sum(rk^2) - sum(rr^2) / k)
  add(paste0("aligned_friedman/", id), list(table = m),
      paste("ranks (1 = highest, mid-ranks) of score - row mean over the whole table;",
            "(k-1)[sum Rj^2 - (k n^2/4)(kn+1)^2] / (kn(kn+1)(2kn+1)/6 - sum Ri^2/k) (Hodges & Lehmann 1962, Garcia et al. 2010);",
            "tie_corrected: sum of the squared ranks instead of kn(kn+1)(2kn+1)/6"),
      list(mean_ranks = arr(rc / n), statistic = t0, df = k - 1, p = pchisq(t0, k - 1, lower.tail = FALSE),
           statistic_tie_corrected = t1, p_tie_corrected = pchisq(t1, k - 1, lower.tail = FALSE), ties = anyDuplicated(as.vector(aligned)) > 0))
}

skillings_mack <- function(id, m) {
  stopifnot(all(rowSums(!is.na(m)) >= 2))
  k <- ncol(m)
  a <- rowSums(apply(int(m), 1, function(v) {
    s <- sum(!is.na(v)); r <- rank(v, na.last = "keep"); r[is.na(r)] <- (s + 1) / 2
    sqrt(12 / (s + 1)) * (r - (s + 1) / 2)
  }))
  co <- crossprod(!is.na(m)); S <- -co; diag(S) <- rowSums(co) - diag(co)
  q <- num(t(a) %*% ginv(S) %*% a); df <- qr(S)$rank
  stopifnot(df == k - 1)
  add(paste0("skillings_mack/", id), list(table = m),
      "A' ginv(Sigma) A, A_j = sum_i sqrt(12/(s_i+1)) (r_ij - (s_i+1)/2), ranks 1 = LOWEST, Sigma_jt = -(rows with both) (Skillings & Mack 1981; mid-ranks, no tie correction)",
      list(weighted_sums = arr(a), covariance = tab(S), statistic = q, df = df, p = pchisq(q, df, lower.tail = FALSE)))
  q
}
U_missing <- U; U_missing[cbind(c(1, 3, 4, 4, 8, 12), c(2, 5, 1, 3, 4, 1))] <- NA
V_missing <- V; V_missing[cbind(c(2, 5), c(1, 3))] <- NA
invisible(skillings_mack("U_missing", U_missing)); invisible(skillings_mack("V_missing_ties", V_missing))
W_missing <- W; W_missing[cbind(c(1, 2, 2, 2, 2, 9, 17, 20), c(6, 1, 2, 3, 4, 5, 1, 3))] <- NA
invisible(skillings_mack("W_missing", W_missing))
same(skillings_mack("U_complete", U), friedman.test(U)$statistic)

# Post hoc on mean ranks
for (id in c("T6_printed_ranks", names(tables))) {
  m <- if (id == "T6_printed_ranks") T6_printed else tables[[id]]
  n <- nrow(m); k <- ncol(m); R <- colMeans(if (id == "T6_printed_ranks") m else row_ranks(m)); se <- sqrt(k * (k + 1) / (6 * n))
  pr <- t(combn(k, 2)); z <- (R[pr[, 1]] - R[pr[, 2]]) / se
  input <- list(table = m, are_ranks = id == "T6_printed_ranks")
  add(paste0("nemenyi/", id), input, "z = (R_i - R_j)/sqrt(k(k+1)/(6N)); ptukey(sqrt(2) |z|, k, Inf, lower = FALSE); p_integrated: by quadrature (about 1e-13)",
      list(mean_ranks = arr(R), se = se, pairs = tab(pr - 1), z = arr(z), p = arr(ptukey(sqrt(2) * abs(z), k, Inf, lower.tail = FALSE)),
           p_integrated = arr(sapply(sqrt(2) * abs(z), range_upper, k, Inf)),
           p_unadjusted = arr(2 * pnorm(-abs(z)))))
  zc <- (R[1] - R[-1]) / se; p <- 2 * pnorm(-abs(zc))
  add(paste0("bonferroni_dunn/", id), c(input, control = 0), "z = (R_control - R_i)/sqrt(k(k+1)/(6N)), p = 2 pnorm(-|z|), p.adjust(p, method)",
      list(z = arr(zc), p = arr(p), bonferroni = arr(p.adjust(p, "bonferroni")), holm = arr(p.adjust(p, "holm")),
           hochberg = arr(p.adjust(p, "hochberg")), hommel = arr(p.adjust(p, "hommel"))))
}

set.seed(77)
vectors <- list(demsar = c(.016, .019, .607), one = .03, two = c(.04, .01), ties = c(.01, .02, .02, .03, .03, .5, .01),
                zero_one = c(0, .2, 1, .04, 1, 0), ones = c(1, 1, 1), ten = round(runif(10)^3, 5),
                twenty_eight = round(runif(28)^4, 6), close = c(.011, .012, .013, .014, .9), equal = rep(.02, 5))
for (v in names(vectors)) {
  p <- vectors[[v]]; adj <- function(method) arr(p.adjust(p, method))
  add(paste0("p_adjust/", v), list(p = arr(p)), "p.adjust(p, method)",
      list(bonferroni = adj("bonferroni"), holm = adj("holm"), hochberg = adj("hochberg"), hommel = adj("hommel"), bh = adj("BH")))
}

# Cochran's Q
set.seed(88)
easy <- function(n, p) { d <- runif(n); matrix(as.integer(runif(n * length(p)) < rep(p, each = n) * .6 + d * .4), n) }
for (b in list(list("B20x3", easy(20, c(.5, .6, .95))), list("B30x4", easy(30, c(.4, .5, .55, .8))))) {
  m <- b[[2]]; n <- nrow(m); k <- ncol(m); cs <- colSums(m); rs <- rowSums(m)
  q <- (k - 1) * (k * sum(cs^2) - sum(cs)^2) / (k * sum(rs) - sum(rs^2))
  long <- data.frame(y = factor(as.vector(m)), learner = factor(as.vector(col(m))), row = factor(as.vector(row(m))))
  same(q, friedman.test(m)$statistic); same(q, statistic(symmetry_test(y ~ learner | row, data = long, teststat = "quadratic")))
  keep <- droplevels(long[rs[as.integer(long$row)] %in% 1:(k - 1), ])      # constant rows carry nothing
  same(q, mantelhaen.test(keep$learner, keep$y, keep$row)$statistic)
  pr <- t(combn(k, 2))
  add(paste0("cochran_q/", b[[1]]), list(table = m), "(k-1)(k sum C^2 - T^2)/(k T - sum R^2); mantelhaen.test, coin::symmetry_test and friedman.test agree",
      list(statistic = q, df = k - 1, p = pchisq(q, k - 1, lower.tail = FALSE), pairs = tab(pr - 1),
           mcnemar_exact_p = arr(apply(pr, 1, function(ij) {
             u <- sum(m[, ij[1]] > m[, ij[2]]); l <- sum(m[, ij[1]] < m[, ij[2]]); binom.test(u, u + l)$p.value }))))
}

# ---------------------------------------------------------------- several learners: means

rm_fit <- function(m) {
  long <- data.frame(y = as.vector(m), learner = factor(as.vector(col(m))), row = factor(as.vector(row(m))))
  s <- summary(aov(y ~ learner + Error(row / learner), long))[["Error: row:learner"]][[1]]
  list(long = long, ss = s[["Sum Sq"]], ms = s[["Mean Sq"]], df = s[["Df"]], f = s[["F value"]][1], p = s[["Pr(>F)"]][1])
}
for (id in names(tables)) {
  m <- tables[[id]]; n <- nrow(m); k <- ncol(m); a <- rm_fit(m)
  fit <- lm(m ~ 1)
  sph <- anova(fit, X = ~1, test = "Spherical")
  gg <- as.numeric(sub(".*: *", "", grep("Greenhouse", attr(sph, "heading"), value = TRUE)))   # printed to few digits: check only
  hf <- as.numeric(sub(".*: *", "", grep("Huynh", attr(sph, "heading"), value = TRUE)))
  S <- cov(m); C <- contr.helmert(k); C <- C / rep(sqrt(colSums(C^2)), each = k); L <- t(C) %*% S %*% C
  eg <- sum(diag(L))^2 / ((k - 1) * sum(L^2)); eh <- (n * (k - 1) * eg - 2) / ((k - 1) * (n - 1 - (k - 1) * eg))
  same(c(gg, hf), c(eg, eh), 1e-3); same(sph[["F"]][1], a$f, 1e-8)
  an <- suppressWarnings(summary(Anova(fit, idata = data.frame(l = factor(1:k)), idesign = ~l, type = 3), multivariate = FALSE))
  same(an$pval.adjustments["l", c("GG eps", "HF eps")], c(eg, eh), 1e-9)
  mau <- mauchly.test(fit, X = ~1)
  same(an$sphericity.tests["l", "Test statistic"], mau$statistic, 1e-9)
  d <- k - 1; chi <- -(n - 1 - (2 * d^2 + d + 2) / (6 * d)) * log(num(mau$statistic))
  pe <- function(e) pf(a$f, d * e, d * (n - 1) * e, lower.tail = FALSE)
  same(an$pval.adjustments["l", c("Pr(>F[GG])", "Pr(>F[HF])")], c(pe(eg), pe(min(1, eh))), 1e-9)
  add(paste0("rm_anova/", id), list(table = m),
      paste("summary(aov(y ~ learner + Error(row/learner))); epsilons as in anova(mlm, X = ~1, test = 'Spherical') and car::Anova;",
            "mauchly.test(lm(table ~ 1), X = ~1) [its p has a second-order term; p_chisq is the plain chi-square]; p_hf uses min(1, epsilon)"),
      list(f = a$f, df1 = a$df[1], df2 = a$df[2], p = a$p, ss_learner = a$ss[1], ss_residual = a$ss[2], ms_learner = a$ms[1], ms_residual = a$ms[2],
           epsilon_gg = eg, epsilon_hf = eh, p_gg = pe(eg), p_hf = pe(min(1, eh)), p_lower_bound = pe(1 / d),
           mauchly_w = num(mau$statistic), mauchly_p = mau$p.value, mauchly_chisq = chi, mauchly_df = k * d / 2 - 1,
           mauchly_p_chisq = pchisq(chi, k * d / 2 - 1, lower.tail = FALSE)))
  pr <- t(combn(k, 2)); dif <- colMeans(m)[pr[, 1]] - colMeans(m)[pr[, 2]]
  p <- ptukey(abs(dif) / sqrt(a$ms[2] / n), k, a$df[2], lower.tail = FALSE)
  hsd <- TukeyHSD(aov(y ~ learner + row, a$long), "learner")$learner
  same(hsd[, "diff"], -dif, 1e-12); same(hsd[, "p adj"], p, 1e-8)
  add(paste0("tukey/", id), list(table = m), "ptukey(|diff|/sqrt(MSE/N), k, (k-1)(N-1), lower = FALSE); TukeyHSD(aov(y ~ learner + row)) agrees; p_integrated: by quadrature (about 1e-13)",
      list(pairs = tab(pr - 1), difference = arr(dif), q = arr(abs(dif) / sqrt(a$ms[2] / n)), df = a$df[2], p = arr(p),
           p_integrated = arr(sapply(abs(dif) / sqrt(a$ms[2] / n), range_upper, k, a$df[2]))))
}

# Studentized range
grid <- expand.grid(q = c(.1, .5, 1, 2, 2.5, 3, 3.314493, 3.633, 4, 5, 6, 8), k = c(2, 3, 4, 5, 6, 10, 20), df = c(2, 5, 10, 22, 39, 95, 120, Inf))
up <- ptukey(grid$q, grid$k, grid$df, lower.tail = FALSE)
chk <- mapply(range_upper, grid$q, grid$k, grid$df)
message("its quadrature: doubling the panels changes at most ", max(abs(chk - mapply(range_upper, grid$q, grid$k, grid$df, 2))))
off <- abs(up - chk); message("ptukey against integration: largest difference ", max(off), " at ", paste(unlist(grid[which.max(off), ]), collapse = " "))
add("ptukey/grid", list(q = grid$q, k = grid$k, df = grid$df),
    sprintf("upper: ptukey(q, k, df, lower.tail = FALSE); integrated: the same by quadrature (about 1e-13, use this); they differ by up to %.1e, from df = 5 on by up to %.1e", max(off), max(off[grid$df >= 5])),
    list(upper = up, integrated = chk))
gq <- expand.grid(p = c(.10, .05, .01), k = c(2, 3, 4, 5, 6, 10, 20), df = c(5, 10, 22, 39, 120, Inf))
gq$q0 <- qtukey(gq$p, gq$k, gq$df, lower.tail = FALSE)
gq$q <- mapply(function(p, k, df, q0) uniroot(function(q) range_upper(q, k, df) - p, q0 + c(-.01, .01), tol = 1e-11, extendInt = "yes")$root, gq$p, gq$k, gq$df, gq$q0)
two <- grid$k == 2; exact2 <- 2 * pt(-grid$q[two] / sqrt(2), grid$df[two])      # k = 2 is Student's t
message("k = 2 against pt: quadrature ", max(abs(chk[two] - exact2)), ", ptukey ", max(abs(up[two] - exact2)))
same(chk[two], exact2, 1e-12)
for (v in unique(grid$df)) message("  ptukey - quadrature, df ", v, ": ", max(off[grid$df == v]))
message("qtukey against the root of the quadrature: largest difference ", max(abs(gq$q - gq$q0)))
add("qtukey/grid", list(upper = gq$p, k = gq$k, df = gq$df),
    sprintf("q: root of the quadrature (about 1e-10, use this); qtukey(upper, k, df, lower = FALSE) differs by up to %.1e", max(abs(gq$q - gq$q0))),
    list(q = gq$q, qtukey = gq$q0))

# Dunnett: T_i = (Z_i + Z_0)/sqrt(2)/s, all correlations 1/2
dunnett <- function(c, m, df, alternative, dense = 1) over_scale(function(s) over_normal(function(z, s) {
  h <- sqrt(2) * c * s
  outside <- pnorm(h - z, lower.tail = FALSE) + if (alternative == "two.sided") pnorm(-h - z) else 0
  -expm1(m * log1p(-pmin(outside, 1)))
}, s, dense), df, dense)
genz <- function(c, m, df, alternative) {
  set.seed(1); corr <- matrix(.5, m, m); diag(corr) <- 1
  1 - pmvt(if (alternative == "two.sided") rep(-c, m) else rep(-Inf, m), rep(c, m), df = if (is.infinite(df)) 0 else df, corr = corr,
           algorithm = GenzBretz(abseps = 1e-6, maxpts = 2e5))
}
for (a in c("two.sided", "greater")) {
  g <- expand.grid(c = c(.3, 1, 1.7, 2, 2.4, 3, 4.5), m = c(1, 2, 3, 4, 9), df = c(4, 11, 39, 95, Inf))
  p <- mapply(dunnett, g$c, g$m, g$df, a)
  i <- g$m > 1; dif <- max(abs(p[i] - mapply(genz, g$c[i], g$m[i], g$df[i], a)))
  same(p[!i], (if (a == "two.sided") 2 else 1) * pt(-g$c[!i], g$df[!i]), 1e-12)
  message("Dunnett ", a, ": doubling the panels changes at most ", max(abs(p - mapply(dunnett, g$c, g$m, g$df, a, 2))))
  message("Dunnett ", a, ": integration against pmvt, largest difference ", dif)
  add(paste0("dunnett_p/", a), list(c = g$c, comparisons = g$m, df = g$df, alternative = a),
      sprintf("quadrature over Z_0 and s, correlation 1/2, good to about 1e-12 (m = 1 equals pt); mvtnorm::pmvt agrees to 1e-9 (TVPACK, Miwa) and to %.0e (GenzBretz, Monte Carlo)", dif), list(p = p))
}
for (m in 2:3) for (df in c(4, 11, 39, 0)) for (c in c(.3, 1.7, 3)) {          # deterministic algorithm for two and three variables
  corr <- matrix(.5, m, m); diag(corr) <- 1
  same(dunnett(c, m, if (df == 0) Inf else df, "greater"), 1 - pmvt(upper = rep(c, m), df = df, corr = corr, algorithm = TVPACK(abseps = 1e-13)), 1e-9)
}
for (m in 2:4) for (c in c(.3, 1.7, 3)) {                                     # the normal case, two-sided, deterministic
  corr <- matrix(.5, m, m); diag(corr) <- 1
  same(dunnett(c, m, Inf, "two.sided"), 1 - pmvnorm(rep(-c, m), rep(c, m), corr = corr, algorithm = Miwa(steps = 4096)), 1e-9)
}
g <- expand.grid(alpha = c(.05, .10), m = c(2, 3, 5), df = c(11, 39, Inf), alternative = c("two.sided", "greater"), stringsAsFactors = FALSE)
g$q <- mapply(function(al, m, df, a) uniroot(function(c) dunnett(c, m, df, a) - al, c(.5, 6), tol = 1e-10)$root, g$alpha, g$m, g$df, g$alternative)
g$qm <- mapply(function(al, m, df, a) { set.seed(1); corr <- matrix(.5, m, m); diag(corr) <- 1
  qmvt(1 - al, tail = if (a == "two.sided") "both.tails" else "lower.tail", df = if (is.infinite(df)) 0 else df, corr = corr)$quantile }, g$alpha, g$m, g$df, g$alternative)
message("Dunnett quantiles: integration against qmvt, largest difference ", max(abs(g$q - g$qm)))
add("dunnett_quantile/grid", list(alpha = g$alpha, comparisons = g$m, df = g$df, alternative = g$alternative),
    sprintf("root of the quadrature (about 1e-10); qmvt() is Monte Carlo and differs by up to %.0e", max(abs(g$q - g$qm))), list(q = g$q, qmvt = g$qm))
for (id in names(tables)) {
  m <- tables[[id]]; n <- nrow(m); k <- ncol(m); a <- rm_fit(m)
  t <- (colMeans(m)[-1] - colMeans(m)[1]) / sqrt(2 * a$ms[2] / n); df <- a$df[2]
  two <- sapply(abs(t), dunnett, k - 1, df, "two.sided")
  one <- sapply(t, function(c) dunnett(c, k - 1, df, "greater")); low <- sapply(-t, function(c) dunnett(c, k - 1, df, "greater"))
  set.seed(1); gl <- summary(glht(aov(y ~ learner + row, a$long), linfct = mcp(learner = "Dunnett")))$test
  same(gl$tstat, t, 1e-8); same(gl$pvalues, two, 2e-3)
  add(paste0("dunnett/", id), list(table = m, control = 0),
      "t = (mean_i - mean_control)/sqrt(2 MSE/N), MSE and df of the repeated-measures residual; quadrature, about 1e-12; multcomp::glht(mcp('Dunnett')) agrees to its Monte Carlo error",
      list(t = arr(t), df = df, p_two.sided = arr(two), p_greater = arr(one), p_less = arr(low)))
}

# Learner x training set x test example, one observation per cell
for (dims in list(c(2, 4, 6), c(3, 3, 5))) {
  set.seed(99); g <- expand.grid(a = 1:dims[1], s = 1:dims[2], e = 1:dims[3])
  g$y <- round(.6 + .08 * g$a + rnorm(dims[2], 0, .03)[g$s] + rnorm(dims[3], 0, .1)[g$e] + rnorm(nrow(g), 0, .05), 3)
  y <- array(g$y, dims); g[1:3] <- lapply(g[1:3], factor)
  s <- summary(aov(y ~ a * s * e, g))[[1]]; nm <- trimws(rownames(s)); ms <- setNames(s[["Mean Sq"]], nm); df <- setNames(s[["Df"]], nm)
  top <- ms["a"] + ms["a:s:e"]; bot <- ms["a:s"] + ms["a:e"]
  d1 <- top^2 / (ms["a"]^2 / df["a"] + ms["a:s:e"]^2 / df["a:s:e"]); d2 <- bot^2 / (ms["a:s"]^2 / df["a:s"] + ms["a:e"]^2 / df["a:e"])
  f1 <- ms["a"] / ms["a:s"]; f2 <- ms["a"] / ms["a:e"]
  add(paste0("three_way/", paste(dims, collapse = "x")), list(y = y),
      "y[learner][training set][test example]; aov(y ~ a*s*e); F' = (MS_A + MS_ASE)/(MS_AS + MS_AE), Satterthwaite df",
      list(ms = as.list(setNames(ms, gsub(":", "", nm))), df = as.list(setNames(df, gsub(":", "", nm))),
           quasi_f = num(top / bot), df1 = num(d1), df2 = num(d2), p = num(pf(top / bot, d1, d2, lower.tail = FALSE))))
}

# ---------------------------------------------------------------- write

json <- function(x) as.character(toJSON(x, auto_unbox = TRUE, digits = I(15), na = "null", null = "null"))
text <- paste0("{\"r_version\": ", json(R.version.string), ",\n\"packages\": ",
               json(sapply(c("mvtnorm", "multcomp", "coin", "exactRankTests", "car", "MASS"), function(p) as.character(packageVersion(p)), simplify = FALSE)),
               ",\n\"cases\": [\n", paste(sapply(unname(cases), json), collapse = ",\n"), "\n]}\n")
stopifnot(!grepl("NaN", text))
writeLines(text, file.path(here, "r.json"), sep = "")
message(length(cases), " cases")
