# One word per job. Each target sets up what it needs in a local environment; only Python 3.11+ and pip must be there.
PYTHON ?= python3
VENV   := .venv
BENCH  := .venv-bench
BIN    := $(VENV)/bin
# Python compiles what it imports when it first does, and keeps it unless it is told not to: much of
# what is installed is never imported.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile --editable

.PHONY: help demo test unit test-processor test-core test-lowest test-slow torture lint types docs examples site links cards gallery reproduce bench dist clean
.DEFAULT_GOAL := help

help:            ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

# What the demo needs; the tests need more, which is added to it.
$(VENV)/demo-ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) '.[run,plots]'
	@touch $@

$(VENV)/ready: $(VENV)/demo-ready
	$(BIN)/python $(INSTALL) '.[dev]'
	@touch $@

# The fast learners are compiled once; doing it here keeps it out of the tests. It takes all
# processors, and gives way to what is installed and checked at the same time.
$(VENV)/compiled: $(VENV)/demo-ready $(wildcard src/twofold/learners/kernels/*.py)
	nice $(BIN)/python -m twofold.learners.kernels
	@touch $@

$(BENCH)/ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python $(INSTALL) '.[bench]'
	@touch $@

demo: $(VENV)/demo-ready   ## run two learners until more runs cannot change the answer; leaves build/demo.html
	@mkdir -p build
	$(BIN)/twofold compare nb c45 --data breast_cancer --until 0.95 --store build/demo.sqlite --report build/demo.html
	@echo "The same in a browser, with tables of your own: $(BIN)/python -m pip install '.[page]' && $(BIN)/twofold serve"

test:            ## lint, types and tests: what CI runs
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/compiled lint types
	@$(MAKE) --no-print-directory unit

# Commands that tests start would each compile the package's modules where bytecode is not written.
unit: $(VENV)/ready $(VENV)/compiled ## the tests alone; COVERAGE=1 says how much of the code they run: no file below 80 %
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n auto --dist worksteal -q --durations=20 $(if $(COVERAGE),--cov --cov-report=)
	$(if $(COVERAGE),$(BIN)/python .ci/coverage.py)

# OpenBLAS adds up in another order there: on most machines Nehalem is another processor than theirs.
test-processor: $(VENV)/ready $(VENV)/compiled ## the pages' commands once more, as on another processor
	OPENBLAS_CORETYPE=Nehalem $(BIN)/python -m pytest -n auto -q tests/test_tutorial.py tests/test_tutorials_in_order.py tests/test_both_halves.py tests/test_which_test.py

test-core: .venv-core/ready     ## the core without extras, in an environment of its own
	.venv-core/bin/python -m pytest -n auto -q tests/core tests/tables/test_parse_text.py tests/stats/test_papers.py tests/stats/test_ties.py

test-lowest: .venv-lowest/ready ## the lowest versions that pyproject.toml allows
	.venv-lowest/bin/python -m pytest -n auto -q -W ignore::DeprecationWarning tests/core tests/stats/test_papers.py tests/plots/test_critical_difference.py tests/execution/test_scoring.py tests/contracts/test_stores.py

.venv-core/ready: pyproject.toml
	$(PYTHON) -m venv .venv-core
	.venv-core/bin/python $(INSTALL) '.[test]'
	@touch $@

.venv-lowest/ready: pyproject.toml
	$(PYTHON) -m venv .venv-lowest
	$(PYTHON) .ci/lowest.py run plots tables > .venv-lowest/lowest.txt
	.venv-lowest/bin/python $(INSTALL) '.[test]' -r .venv-lowest/lowest.txt
	@touch $@

test-slow: $(VENV)/ready $(VENV)/compiled ## the long simulations too
	$(BIN)/python -m pytest -n auto -q -m slow
	HYPOTHESIS_PROFILE=slow $(BIN)/python -m pytest -n auto -q tests/stats

torture: $(VENV)/ready $(VENV)/compiled   ## hours of attacks: kills, damaged files, bad learners, lost databases; can be stopped and goes on
	$(BIN)/python -m torture --save docs/reliability.md

lint: $(VENV)/ready      ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready     ## mypy, strict on the package
	$(BIN)/mypy

docs: $(VENV)/ready      ## write the reference pages of the catalog and of the options anew
	$(BIN)/twofold tests --format markdown > docs/reference/tests.md
	$(BIN)/python docs/reference/options.py
	$(BIN)/python docs/questions.py
	$(BIN)/python docs/which_test.py
	$(BIN)/python docs/understand/draw.py

EXAMPLES := tests/test_tutorial.py tests/test_tutorials_in_order.py tests/test_both_halves.py tests/test_questions.py tests/test_how_to_python.py tests/test_coming_from.py tests/test_docstring_examples.py tests/gates/test_gate_page.py tests/readers/test_format_pages.py
examples: $(VENV)/ready  ## write what the examples of pages and docstrings print into them; read the diff
	TWOFOLD_REFRESH_EXAMPLES=1 $(BIN)/python -m pytest -q $(EXAMPLES)

$(VENV)/site-ready: $(VENV)/demo-ready
	$(BIN)/python $(INSTALL) '.[docs]'
	@touch $@

site: $(VENV)/site-ready ## the documentation as a site to browse, in build/site; warnings are errors
	@mkdir -p build
	$(BIN)/python docs/site/build.py build/site

links: site              ## every link of the site, those to elsewhere too (needs the network)
	$(BIN)/python docs/site/check_links.py build/site --external

cards: $(VENV)/ready $(VENV)/compiled     ## measure every test anew (DATASETS=1000), and write its card
	$(BIN)/python docs/reference/cards.py --datasets $(or $(DATASETS),1000)
	$(BIN)/twofold tests --format markdown > docs/reference/tests.md

gallery: $(VENV)/ready   ## draw the pictures of docs/gallery.md anew; every output of three examples in build/gallery
	$(BIN)/python docs/whole_answers.py
	$(BIN)/python docs/gallery.py

reproduce: $(VENV)/ready $(VENV)/compiled ## the papers' experiments that there is data for (TWOFOLD_DATA), and their pages; stopped, it goes on; COLD=1 from nothing
	@mkdir -p build
	$(if $(COLD),rm -f build/reproduce.sqlite*)
	$(BIN)/twofold reproduce all --full --again --store build/reproduce.sqlite --save docs/reproductions --gallery docs/reproductions --readme README.md

bench: $(BENCH)/ready    ## what users wait for, growth, and peers, in one run (WEKA_JAR=weka.jar for Weka; SAVE=docs/performance.md)
	$(BENCH)/bin/python -m twofold.learners.kernels
	$(BENCH)/bin/python benchmarks/waiting.py $(if $(SAVE),--save $(SAVE))
	$(BENCH)/bin/python benchmarks/growth.py $(if $(SAVE),--save $(SAVE))
	$(BENCH)/bin/python benchmarks/run.py
	$(BENCH)/bin/python benchmarks/running.py
	$(BENCH)/bin/python benchmarks/on_dask.py $(if $(SAVE),--save)
	$(BENCH)/bin/python benchmarks/learners.py $(if $(WEKA_JAR),--weka $(WEKA_JAR))
	$(BENCH)/bin/python benchmarks/simulated.py
	$(BENCH)/bin/python benchmarks/studies.py

dist: $(VENV)/ready      ## wheel and sdist: build, check, install into clean environments, run the demo
	.ci/dist $(PYTHONS)

clean:           ## remove the local environments
	rm -rf $(VENV) $(BENCH) .venv-core .venv-lowest build dist
