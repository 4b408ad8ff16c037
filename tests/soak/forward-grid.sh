#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: forward-grid.sh [OPTION]...: the forwarding paper's experiment with all
# ranks, records, times of computing and caches; for hours, on --places disk,
# tmpfs, gluster and throttle, or some of them.
exec bench/run forward --only contig --grid "$@"
