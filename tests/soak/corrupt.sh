#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Spoils writes of all kinds of programs, all ways; weir run --verify must see it.
exec "$(dirname "$0")/../verify/run-corrupt.py" "$@"
