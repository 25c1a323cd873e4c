"""Print the lowest versions that pyproject.toml allows, as requirements for pip."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))
wanted = ["dependencies", *sys.argv[1:]]
groups = project["project"]["optional-dependencies"] | project["project"]
for group in wanted:
    for requirement in groups[group]:
        if not requirement.startswith("twofold["):
            print(re.sub(r">=", "==", requirement))
