#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program of a few files, built by make and gcc, two at a time.
set -e
cat >Makefile <<'END'
objects = main.o one.o two.o
program: $(objects)
	gcc -o $@ $(objects)
%.o: %.c all.h
	gcc -O1 -c -o $@ $<
END
echo 'int one(int); int two(int);' >all.h
echo '#include "all.h"
int one(int x) { return two(x) + 1; }' >one.c
echo '#include "all.h"
int two(int x) { return 2 * x; }' >two.c
cat >main.c <<'END'
#include <stdio.h>
#include "all.h"
int main(void) { printf("%d\n", one(20)); return 0; }
END
make -s -j2
./program
touch -d '2001-01-01' -- *.c all.h
touch -d '2002-01-01' -- *.o program
touch two.c
make -q || echo "to do: $?"
rm two.o
echo 'int broken(' >two.c
make -s 2>make.err || echo "make: $?"
grep -c 'error: ' make.err
