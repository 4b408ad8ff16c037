#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every verb on every input that was made to cost much (tests/bounds).
set -eu
WEIR=$PWD/build/weir exec python3 tests/bounds/run-bounds.py --all "$@"
