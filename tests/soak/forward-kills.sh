#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: forward-kills.sh [RUNS [SEED [FIRST]]]: services and their programs are
# killed over the whole grid of options; 300 runs, with more than 2000 kills, unless
# told.
[ $# -gt 0 ] || set -- 300
exec tests/forward/crash/run-kills.py "$@"
