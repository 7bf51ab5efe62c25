# What both layers' Makefiles share. `sam build` runs a copy of a layer's folder with the Makefile left in its place:
# so the package installer is found from here, and what the build needs of the layer is found from the copy.
SHELL := /bin/sh
.SILENT:
LAYERS := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

UV ?= $(firstword $(shell command -v uv 2>/dev/null) $(wildcard $(LAYERS)../.tools/bin/uv))
PYTHON_3_13 ?= $(firstword $(shell for python in python3.13 "$$(pyenv root 2>/dev/null)"/versions/3.13*/bin/python3.13; do \
	"$$python" -c "import sys; print(sys.executable)" 2>/dev/null; done))

# Byte code saves a third of a cold start, and Lambda's disk is read-only, so it must be in the layer. It is made with
# the functions' own Python version; on a machine without it the layer is built all the same.
define finish
find "$(ARTIFACTS_DIR)/python" -name __pycache__ -prune -exec rm -rf {} +
$(if $(strip $(PYTHON_3_13)),"$(PYTHON_3_13)" -m compileall -q --invalidation-mode unchecked-hash \
	-s "$(ARTIFACTS_DIR)" -p /opt "$(ARTIFACTS_DIR)/python",echo "no Python 3.13 found: $@ gets no byte code" >&2)
endef
