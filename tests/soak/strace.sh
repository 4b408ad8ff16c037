#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Judges every program of tests/strace, or those named.
exec tests/strace/run-strace.py -v build/spec/symbols.txt spec "$@"
