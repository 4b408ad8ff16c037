#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Storms of full size, or those named.
exec tests/torture/run-storms.py full "$@"
