/* SPDX-License-Identifier: BSD-3-Clause */
/* What the generated calls use, and where they tell what they did. */
#ifndef TESTS_PNETCDF_EVERY_H
#define TESTS_PNETCDF_EVERY_H

#include <mpi.h>
#include <pnetcdf.h>

enum { ROWS = 4, COLUMNS = 6, CELLS = ROWS * COLUMNS };

/* One call that was made. */
struct told {
	const char *call, *symbol;
	const char *variable; /* NULL: of the file */
	long long bytes, elements, runs;
	const char *memory, *extent;
	int request; /* -1: none */
};

void tell(const struct told *told);
void sure(int result, const char *what);
void finish(int together); /* wait for what was posted */

#define DO(symbol, ...) sure(symbol(__VA_ARGS__), #symbol)

extern int file, letters, more_letters, numbers, more_numbers, posted;
extern int both_letters[2], both_numbers[2], requests[64];
extern char text_all[], text_none[];
extern char text_one[32], text_box[32], text_strided[32], text_pieces[32];
extern MPI_Offset one[2], start[2], count[2], from[2], some[2], stride[2];
extern MPI_Offset map[2];
extern MPI_Offset *ones[2], *starts[2], *counts[2], *froms[2], *somes[2];
extern MPI_Offset *strides[2], *maps[2], *pieces[2], *lengths[2];
extern MPI_Datatype filetype, two_doubles[2];

/* The types of numbers and, with text, of all buffers: X(type, name). */
#define NUMBER_TYPES(X)                                                       \
	X(signed char, schar) X(unsigned char, uchar)                         \
	X(short, short) X(unsigned short, ushort)                             \
	X(int, int) X(unsigned int, uint) X(long, long)                       \
	X(float, float) X(double, double)                                     \
	X(long long, longlong) X(unsigned long long, ulonglong)
#define BUFFER_TYPES(X) X(char, text) NUMBER_TYPES(X)

#define BUFFER(type, name) extern type b_##name[CELLS], *both_##name[2];
BUFFER_TYPES(BUFFER)
#undef BUFFER

void every_alone(void);
void every_together(void);
void every_posted_alone(void);
void every_posted_together(void);

#endif
