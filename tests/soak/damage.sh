#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Damages traces in 50000 places each, or in so many: [FLIPS].
export FLIPS="${1:-50000}" GOLDEN=tests/golden/v1
exec build/tests/unit/trace/test_damage
