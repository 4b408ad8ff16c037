#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: forward.sh [KILLS [SEED]]: more than 10^7 random operations on forwarded
# files, then calls, programs and every kernel in every way, then as many kills of the
# service and its clients (1000 unless told).
kills=${1:-1000}
seed=${2:-}
tests/forward/model/run-scribble.py full ${seed:+"$seed"} || exit
tests/forward/posix/run-posix.py build/tests/forward/posix/script --full || exit
tests/forward/calls/run-calls.py build/tests/forward/calls/calls --random 40 || exit
tests/forward/programs/run-programs.py --full || exit
tests/forward/kernels/run-kernels.py --full || exit
tests/forward/kernels/run-tree.py --full || exit
exec tests/forward/crash/run-crash.py "$kills" ${seed:+"$seed"}
