/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes every call of PnetCDF that does I/O, with every type, and tells it.
 *
 * usage: every FILE TOLD      (TOLD.RANK gets a line for each call)
 */
#include "every.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int file, letters, more_letters, numbers, more_numbers, posted;
int both_letters[2], both_numbers[2], requests[64];
char text_all[] = "0+4,0+6", text_none[] = "";
char text_one[32], text_box[32], text_strided[32], text_pieces[32];
MPI_Offset one[2], start[2], count[2], from[2], some[2], stride[2], map[2];
MPI_Offset *ones[2], *starts[2], *counts[2], *froms[2], *somes[2];
MPI_Offset *strides[2], *maps[2], *pieces[2], *lengths[2];
MPI_Datatype filetype, two_doubles[2];

static MPI_Offset first_piece[2], second_piece[2], piece_length[2];
static FILE *out;
static int rank;
static int growing; /* a variable whose first dimension grows */

#define BUFFER(type, name) type b_##name[CELLS], *both_##name[2];
BUFFER_TYPES(BUFFER)

void sure(int result, const char *what)
{
	if (result == NC_NOERR)
		return;
	fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(result));
	MPI_Abort(MPI_COMM_WORLD, 1);
}

void tell(const struct told *told)
{
	fprintf(out, "%s\t%s\t%s\t%lld\t%lld\t%lld\t%s\t%s\t%d\t%d\n",
		told->call, told->symbol, told->variable ? told->variable : "",
		told->bytes, told->elements, told->runs,
		told->memory ? told->memory : "",
		told->extent ? told->extent : "", told->request, file);
}

/* A call that is told by its name and by what it is about alone. */
static void tell_plain(const char *call, const char *symbol,
		       const char *variable, long long bytes)
{
	tell(&(struct told){ call, symbol, variable, bytes, -1, -1, NULL, NULL,
			     -1 });
}

#define PLAIN(symbol, variable, bytes, ...)                           \
	do {                                                          \
		DO(symbol, __VA_ARGS__);                              \
		tell_plain(#symbol, #symbol, variable, bytes);        \
	} while (0)

#define FILL(type, name)                                              \
	for (int i = 0; i < CELLS; i++)                               \
		b_##name[i] = (type)(i + 1 + 30 * rank);              \
	both_##name[0] = both_##name[1] = b_##name;

static void fill_buffers(void)
{
	BUFFER_TYPES(FILL)
}

static void set(MPI_Offset *where, MPI_Offset row, MPI_Offset column,
		MPI_Offset **both)
{
	where[0] = row;
	where[1] = column;
	if (both)
		both[0] = both[1] = where;
}

/* Each rank has two rows. */
static void choose_parts(void)
{
	int row = 2 * rank;

	set(one, row, 3, ones);
	set(start, row, 0, starts);
	set(count, 2, COLUMNS, counts);
	set(from, row, 1, froms);
	set(some, 2, 2, somes);
	set(stride, 1, 2, strides);
	set(map, 2, 1, maps);
	set(first_piece, row, 0, NULL);
	set(second_piece, row + 1, 3, NULL);
	set(piece_length, 1, 3, NULL);
	pieces[0] = first_piece;
	pieces[1] = second_piece;
	lengths[0] = lengths[1] = piece_length;
	snprintf(text_one, sizeof(text_one), "%d+1,3+1", row);
	snprintf(text_box, sizeof(text_box), "%d+2,0+6", row);
	snprintf(text_strided, sizeof(text_strided), "%d+2,1+2*2", row);
	snprintf(text_pieces, sizeof(text_pieces), "%d+2,0+6", row);
	MPI_Type_contiguous(COLUMNS, MPI_DOUBLE, &filetype);
	MPI_Type_commit(&filetype);
	two_doubles[0] = two_doubles[1] = MPI_DOUBLE;
}

void finish(int together)
{
	int statuses[64];

	if (together)
		PLAIN(ncmpi_wait_all, NULL, -1, file, posted, requests,
		      statuses);
	else
		PLAIN(ncmpi_wait, NULL, -1, file, posted, requests, statuses);
	for (int i = 0; i < posted; i++)
		sure(statuses[i], "a request");
	posted = 0;
}

static int define(const char *name, nc_type type, const int *dims)
{
	int id;

	PLAIN(ncmpi_def_var, NULL, -1, file, name, type, 2, dims, &id);
	return id;
}

static void define_all(void)
{
	int rows, columns, time, old;

	PLAIN(ncmpi_def_dim, NULL, -1, file, "rows", ROWS, &rows);
	PLAIN(ncmpi_def_dim, NULL, -1, file, "wide", COLUMNS, &columns);
	PLAIN(ncmpi_def_dim, NULL, -1, file, "time", NC_UNLIMITED, &time);
	PLAIN(ncmpi_rename_dim, NULL, -1, file, columns, "columns");
	letters = define("letters", NC_CHAR, (int[]){ rows, columns });
	more_letters = define("more_letters", NC_CHAR,
			      (int[]){ rows, columns });
	numbers = define("first_name", NC_DOUBLE, (int[]){ rows, columns });
	more_numbers = define("more_numbers", NC_DOUBLE,
			      (int[]){ rows, columns });
	growing = define("growing", NC_FLOAT, (int[]){ time, columns });
	PLAIN(ncmpi_rename_var, NULL, -1, file, numbers, "numbers");
	PLAIN(ncmpi_set_fill, NULL, -1, file, NC_NOFILL, &old);
	PLAIN(ncmpi_def_var_fill, "growing", -1, file, growing, 0, NULL);
	both_letters[0] = letters;
	both_letters[1] = more_letters;
	both_numbers[0] = numbers;
	both_numbers[1] = more_numbers;
}

#define ATT(what, name, ...)                                          \
	do {                                                          \
		DO(ncmpi_##what##_att_##name, file, numbers,          \
		   "of_" #name, __VA_ARGS__);                         \
		tell_plain("ncmpi_" #what "_att",                     \
			   "ncmpi_" #what "_att_" #name, "numbers", 24); \
	} while (0)
#define PUT_ATT(type, name)                                           \
	ATT(put, name, NC_DOUBLE, 3, b_##name);                       \
	ATT(get, name, b_##name);

static void attributes(void)
{
	NUMBER_TYPES(PUT_ATT)
	DO(ncmpi_put_att_text, file, NC_GLOBAL, "title", 5, "every");
	tell_plain("ncmpi_put_att", "ncmpi_put_att_text", NULL, 5);
	DO(ncmpi_get_att_text, file, NC_GLOBAL, "title", b_text);
	tell_plain("ncmpi_get_att", "ncmpi_get_att_text", NULL, 5);
	PLAIN(ncmpi_put_att, "letters", 12, file, letters, "plain", NC_INT, 3,
	      b_int);
	PLAIN(ncmpi_get_att, "letters", 12, file, letters, "plain", b_int);
	PLAIN(ncmpi_copy_att, "letters", -1, file, letters, "plain", file,
	      numbers);
	PLAIN(ncmpi_rename_att, "letters", -1, file, letters, "plain", "p");
	PLAIN(ncmpi_del_att, "letters", -1, file, letters, "p");
}

/* Data of a variable that grows: each step lies apart from the others. */
static void grow(void)
{
	MPI_Offset at[2] = { 0, 0 }, length[2] = { 3, COLUMNS };
	float same[3 * COLUMNS]; /* in all ranks: they write to one place */

	for (int i = 0; i < 3 * COLUMNS; i++)
		same[i] = (float)i;
	DO(ncmpi_put_vara_float_all, file, growing, at, length, same);
	tell(&(struct told){ "ncmpi_put_vara_all", "ncmpi_put_vara_float_all",
			     "growing", 72, 18, 3, "float", "0+3,0+6", -1 });
	DO(ncmpi_get_var_float_all, file, growing, b_float);
	tell(&(struct told){ "ncmpi_get_var_all", "ncmpi_get_var_float_all",
			     "growing", 72, 18, 3, "float", "0+3,0+6", -1 });
	PLAIN(ncmpi_fill_var_rec, "growing", 24, file, growing, 3);
	PLAIN(ncmpi_sync_numrecs, NULL, -1, file);
}

/* Several by one wait: some that are written, and others that are read. */
static void post_several(void)
{
	DO(ncmpi_iput_vara_int, file, numbers, start, count, b_int,
	   &requests[0]);
	tell(&(struct told){ "ncmpi_iput_vara", "ncmpi_iput_vara_int",
			     "numbers", 96, 12, 1, "int", text_box,
			     requests[0] });
	DO(ncmpi_iput_vara_text, file, letters, start, count, b_text,
	   &requests[1]);
	tell(&(struct told){ "ncmpi_iput_vara", "ncmpi_iput_vara_text",
			     "letters", 12, 12, 1, "text", text_box,
			     requests[1] });
	DO(ncmpi_iget_vara_long, file, more_numbers, start, count, b_long,
	   &requests[2]);
	tell(&(struct told){ "ncmpi_iget_vara", "ncmpi_iget_vara_long",
			     "more_numbers", 96, 12, 1, "long", text_box,
			     requests[2] });
	posted = 3;
	finish(1);
}

/* Requests that are taken back, and some that nobody has the numbers of. */
static void change_of_mind(void)
{
	int request, status;

	DO(ncmpi_iput_vara_int, file, numbers, start, count, b_int, &request);
	tell(&(struct told){ "ncmpi_iput_vara", "ncmpi_iput_vara_int",
			     "numbers", 96, 12, 1, "int", text_box, request });
	PLAIN(ncmpi_cancel, NULL, -1, file, 1, &request, &status);
	for (int i = 0; i < 2; i++) {
		DO(ncmpi_iput_vara_int, file, both_numbers[i], start, count,
		   b_int, NULL);
		tell(&(struct told){ "ncmpi_iput_vara", "ncmpi_iput_vara_int",
				     i ? "more_numbers" : "numbers", 96, 12, 1,
				     "int", text_box, -2 });
	}
	PLAIN(ncmpi_wait_all, NULL, -1, file, NC_REQ_ALL, NULL, NULL);
}

/*
 * Ranks that write alone may come in any order: what the file holds in the end
 * is written together, and read back.
 */
static void last_word(void)
{
	int got[CELLS / 2];

	fill_buffers();
	for (int i = 0; i < 2; i++) {
		DO(ncmpi_put_vara_text_all, file, both_letters[i], start,
		   count, b_text);
		tell(&(struct told){ "ncmpi_put_vara_all",
				     "ncmpi_put_vara_text_all",
				     i ? "more_letters" : "letters", 12, 12, 1,
				     "text", text_box, -1 });
		DO(ncmpi_put_vara_int_all, file, both_numbers[i], start, count,
		   b_int);
		tell(&(struct told){ "ncmpi_put_vara_all",
				     "ncmpi_put_vara_int_all",
				     i ? "more_numbers" : "numbers", 96, 12, 1,
				     "int", text_box, -1 });
	}
	DO(ncmpi_get_vara_int_all, file, numbers, start, count, got);
	tell(&(struct told){ "ncmpi_get_vara_all", "ncmpi_get_vara_int_all",
			     "numbers", 96, 12, 1, "int", text_box, -1 });
	if (memcmp(got, b_int, sizeof(got)))
		sure(NC_EREAD, "what was read is not what was written");
}

static void transfer_all(void)
{
	PLAIN(ncmpi_buffer_attach, NULL, 65536, file, 65536);
	every_together();
	every_posted_together();
	post_several();
	grow();
	change_of_mind();
	PLAIN(ncmpi_begin_indep_data, NULL, -1, file);
	every_alone();
	every_posted_alone();
	PLAIN(ncmpi_end_indep_data, NULL, -1, file);
	last_word();
	PLAIN(ncmpi_buffer_detach, NULL, -1, file);
	PLAIN(ncmpi_flush, NULL, -1, file);
	PLAIN(ncmpi_sync, NULL, -1, file);
}

static void other_files(const char *path)
{
	char name[4096];
	int format;

	PLAIN(ncmpi_open, NULL, -1, MPI_COMM_WORLD, path, NC_NOWRITE,
	      MPI_INFO_NULL, &file);
	PLAIN(ncmpi_close, NULL, -1, file);
	PLAIN(ncmpi_inq_file_format, NULL, -1, path, &format);
	snprintf(name, sizeof(name), "%s.%d", path, rank);
	PLAIN(ncmpi_create, NULL, -1, MPI_COMM_SELF, name, NC_CLOBBER,
	      MPI_INFO_NULL, &file);
	PLAIN(ncmpi_abort, NULL, -1, file);
	PLAIN(ncmpi_create, NULL, -1, MPI_COMM_SELF, name, NC_CLOBBER,
	      MPI_INFO_NULL, &file);
	PLAIN(ncmpi_close, NULL, -1, file);
	PLAIN(ncmpi_delete, NULL, -1, name, MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
	char name[4096];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof(name), "%s.%d", argv[2], rank);
	out = fopen(name, "w");
	if (!out)
		return 2;
	fill_buffers();
	choose_parts();
	PLAIN(ncmpi_create, NULL, -1, MPI_COMM_WORLD, argv[1],
	      NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file);
	define_all();
	attributes();
	PLAIN(ncmpi_enddef, NULL, -1, file);
	PLAIN(ncmpi_redef, NULL, -1, file);
	PLAIN(ncmpi__enddef, NULL, -1, file, 0, 4, 0, 4);
	transfer_all();
	PLAIN(ncmpi_close, NULL, -1, file);
	other_files(argv[1]);
	fclose(out);
	MPI_Finalize();
	return 0;
}
