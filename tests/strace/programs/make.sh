# SPDX-License-Identifier: BSD-3-Clause
# Make starts many small commands, some at once.
cat >Makefile <<'MAKE'
all: total
parts := $(addprefix part-,1 2 3 4 5 6)
part-%:
	seq 1 $* >$@
total: $(parts)
	cat $^ >$@
	wc -l <$@
MAKE
make
make -j3 -B
make -q
