#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every internal failure, one by one, in every mode.
set -eu
tests/inject/inside.py
