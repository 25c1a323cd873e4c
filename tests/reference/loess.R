# Writes loess.csv: R's lowess (local lines, tricube weights, no robustness steps) through zeros
# and ones, with windows of a half and of a fifth of the rows.
#
#   Rscript tests/reference/loess.R > tests/reference/loess.csv
set.seed(1979)
x <- sort(round(rnorm(60), 2))
y <- as.integer(runif(60) < plogis(2 * x))
half <- lowess(x, y, f = 1 / 2, iter = 0, delta = 0)$y
fifth <- lowess(x, y, f = 1 / 5, iter = 0, delta = 0)$y
cat("x,y,half,fifth\n")
cat(sprintf("%.2f,%d,%.12f,%.12f\n", x, y, half, fifth), sep = "")
