#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every internal failure, one by one: inside programs, and in the tool.
set -eu
tests/inject/inside.py
tests/inject/outside.py
