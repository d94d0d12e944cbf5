# make demo: see it work. make test: believe it. Everything lives in .venv; nothing else is touched.
PYTHON ?= python3
BIN := .venv/bin
MODEL ?= models/schunk_lwa4d/model.urdf
CORPUS ?= ../shared/corpus

.PHONY: setup setup-more setup-heavy rbdl simbody demo test cluster lint format bench corpus lock docs exam study reports clean

setup: .venv/ready

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "robodyn-check needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	$(BIN)/python adapters/rbdl/build.py --if-possible
	touch .venv/ready

# RBDL has no package: its program is compiled into the cache folder, from sources that pip downloads.
rbdl: setup
	$(BIN)/python adapters/rbdl/build.py

# Simbody is a package of the system: apt install libsimbody-dev; its program is compiled into the cache folder.
simbody: setup
	$(BIN)/python adapters/simbody/build.py

# Further libraries, each in an environment of its own: robodyn-check MODEL --lib NAME --isolated. Orocos KDL is a package
# of the system: apt install python3-pykdl, then --lib kdl@/usr/bin/python3.
setup-more: setup
	$(BIN)/robodyn-check cache --make idyntree dart pybullet adam exudyn urdf2casadi frax

# The same for those that compile for minutes, at their first use or at every robot.
setup-heavy: setup
	$(BIN)/robodyn-check cache --make mjx mujoco-warp newton brax sapien jaxsim genesis

demo: setup
	$(BIN)/robodyn-check $(MODEL)

test: setup
	$(BIN)/python -m pytest -n 2 $(PYTEST)

# Sweeps on a local Dask cluster whose workers and scheduler are killed: minutes of waiting for time-outs.
cluster: setup
	$(BIN)/python -m pytest -m cluster

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/typos

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The peers that the benchmarks stand beside; without them their rows are missing.
PEERS = simcheck truerig urdf-validator
build/peers:
	$(BIN)/uv venv --quiet $@
	$(BIN)/uv pip install --quiet --python $@/bin/python $(PEERS) || (rm -r $@; false)

bench: setup
	-$(MAKE) build/peers
	$(BIN)/python -m pytest benchmarks/bench_commands.py --benchmark-columns=min,median,rounds
	$(BIN)/python benchmarks/bench_large.py
	$(BIN)/python benchmarks/bench_libraries.py
	$(BIN)/python benchmarks/bench_run.py
	$(BIN)/python benchmarks/bench_reference.py

corpus: setup
	$(BIN)/python tests/corpus/run.py

# Versions for every supported Python and platform; the file names no host.
lock: setup
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group dev \
	  --no-emit-index-url --no-emit-find-links --no-header --no-annotate --output-file requirements.lock pyproject.toml

docs: setup
	$(BIN)/python -m robodyn_check.documents

# The tool's own exam over about 20 small robots, whose page the README quotes, and over the corpus where there is one:
# hours, on one core.
exam: setup
	$(BIN)/robodyn-check exam --output reports/exam.md
	test ! -d $(CORPUS) || $(BIN)/robodyn-check exam $(CORPUS) --output reports/exam-corpus.md

# The calibration of its bounds, measured again: an hour on one core. An interrupted one goes on where it stopped.
STUDY_LIBRARIES = pinocchio mujoco drake biorbd rbdl:canonical robotics-toolbox modern-robotics
study: setup
	mkdir -p build
	$(BIN)/robodyn-check study rounding --robots 1800 $(STUDY_LIBRARIES:%=--lib %) --keep build/rounding.jsonl --output reports/rounding.md

reports: setup
	$(BIN)/python reports/refresh.py
	$(BIN)/python reports/silent.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*
