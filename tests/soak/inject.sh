#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every internal failure, one by one: inside programs, in the tool, of the forwarder, and of
# the place where the trace is made.
set -eu
tests/inject/inside.py
tests/inject/outside.py
tests/inject/place.py
tests/inject/forwarded.py
