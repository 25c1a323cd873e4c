"""Two candidates: a linear model and boosted trees."""

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

words = make_column_selector(dtype_exclude="number")
numbers = make_column_selector(dtype_include="number")

linear = make_pipeline(
    make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), words),
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
    ),
    LogisticRegression(),
)
boosted = HistGradientBoostingClassifier(max_iter=20, max_depth=3, learning_rate=0.2)
