# make run    set up, then extract the sample pages          make lint   ruff and mypy --strict
# make serve  set up, then start the web service             make bench  quality and speed on the corpora
# make test   set up, then run every test                    make docs   build the docs site into site/
# make wheel  a wheel whose core is optimised by a profile   make engines  set up, then run the tests on Spark, Ray and datatrove
PYTHON ?= python3
VENV := .venv
DATA ?= ../shared/data
EVERY ?= 1
JOBS ?= 2
BIN := $(VENV)/bin
DEV := $(VENV)/.dev

.PHONY: run serve test engines lint bench wheel docs screenshots clean

run: $(VENV)/.core
	@for page in examples/pages/*.html; do \
	  printf '\n──── %s ────\n' "$$page"; $(BIN)/bonmun extract --format markdown --with-metadata "$$page" || exit 1; done

# ARGS are options of `bonmun serve`: make serve ARGS="--port 9000 --open"
serve: $(VENV)/.serve
	$(BIN)/bonmun serve $(ARGS)

# Each process takes tests from the other when it has none left. Those that measure time by the clock run alone, at the end, from
# the files that have any: to collect all files takes 10 s. Status 5: none of them is among TESTS.
# One that fails beside the other process is run once more alone: among 11,000 tests that wait for processes, sockets and browsers, a
# loaded machine makes one miss its deadline now and then. What is broken fails again.
# Bytecode is kept: tests start some thousand processes, and each would compile the package anew, 0.3 s.
test: export PYTHONDONTWRITEBYTECODE =
TIMED = $(shell grep -rl --include='test_*.py' 'mark\.timed' tests)
test: $(DEV)
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal -m 'not timed and not engine' $(TESTS) || \
	  $(BIN)/python -m pytest --last-failed --last-failed-no-failures none -m 'not timed and not engine' $(TESTS)
	$(BIN)/python -m pytest -m timed $(or $(TESTS),$(TIMED)) || [ $$? = 5 ]

# Spark (with Java 17 or 21), Ray and datatrove are too large for the extra of the tests. Where one cannot be installed, its
# tests are skipped with their reason. One process: the engines start their own.
engines: $(DEV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[spark,ray,datatrove]' || \
	  for engine in spark ray datatrove; do \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$$engine]"; done || true
	$(BIN)/python -m pytest -m engine tests/scale/engines || [ $$? = 5 ]

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict bonmun

# Goes on where it was ended; EVERY=50 takes every fiftieth page. The two peers that need another runtime are left out
# where that cannot be installed.
bench: $(VENV)/.bench
	-$(BIN)/bonmun bench --install readability.js
	-$(BIN)/bonmun bench --install rs-trafilatura
	$(BIN)/bonmun bench --corpus $(DATA)/wcxb_dev.jsonl.zst --corpus $(DATA)/cjk_dev.jsonl.zst --every $(EVERY) \
	  --time 10 --growth --output out/bench
	$(BIN)/bonmun bench --corpus $(DATA)/wcxb_dev.jsonl.zst --corpus $(DATA)/news_dev.jsonl.zst --every $(EVERY) --rename names \
	  --systems auto,trafilatura --output out/bench-renamed
	$(BIN)/python bench/reader.py
	$(BIN)/python bench/path.py
	$(BIN)/python bench/hostile.py
	$(BIN)/python bench/threads.py

# The wheel's outputs have to equal those of the plain build.
wheel: $(DEV)
	$(BIN)/python tools/profile_core.py
	rm -f dist/bonmun-*.whl
	BONMUN_PROFILE=use $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	rm -rf build/unpacked && $(BIN)/python -m zipfile -e dist/bonmun-*.whl build/unpacked
	plain=$$(cd tools && ../$(BIN)/python profile_core.py --outputs) && \
	  profiled=$$(cd build && PYTHONPATH=unpacked ../$(BIN)/python ../tools/profile_core.py --outputs) && test "$$plain" = "$$profiled"

docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict

# The pictures of the docs, made anew by the tests in the browser: those that docs/page.md shows.
screenshots: $(DEV)
	BONMUN_SCREENSHOTS=out/screenshots $(BIN)/python -m pytest tests/serve/page
	$(BIN)/python -m tests.serve.page.pictures out/screenshots

clean:
	rm -rf $(VENV) site build dist *.egg-info

# pip below 23.3, which Python 3.11 brings, stumbles over what the bench's peers ask of lxml.
$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Bonmun needs Python 3.11 or newer")'
	$(PYTHON) -m venv --upgrade-deps $(VENV)

# A stamp per set of dependencies: made anew when what is built or installed changes.
BUILT_FROM := pyproject.toml setup.py $(wildcard bonmun/_core/*.[ch])

$(VENV)/.core: $(BIN)/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.%: $(BIN)/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
