/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks write and read parts of a file: parts FILE WORD...
 *
 *	hint:KEY=VALUE   the info that later calls get; each adds to it
 *	null             later calls get MPI_INFO_NULL
 *	fatal            errors in opening files end the program
 *	open             make the file, or open it again
 *	view:B:N:E       N blocks of B bytes, one of E of them is this rank's
 *	write, write_all, read, read_all
 *	                 all bytes of the view; what is read is checked
 *	info             MPI_File_set_info
 *	missing          open a file that is not there, and must fail
 *
 * What it was given for an info must be in it in the end as it was put there:
 * else it returns 3. 4: bytes that were read are wrong. 5: a call failed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

static int rank;
static MPI_File file = MPI_FILE_NULL;
static MPI_Info info = MPI_INFO_NULL, made = MPI_INFO_NULL;
static const char *put[MOST];
static int count;
static long block, blocks, every;

static void fail(int code)
{
	MPI_Abort(MPI_COMM_WORLD, code);
}

#define MUST(call)                                                             \
	do {                                                                   \
		if (call)                                                      \
			fail(5);                                               \
	} while (0)

static unsigned char byte_at(long offset)
{
	return (unsigned char)((unsigned long)offset * 2654435761u >> 13);
}

/* Where a byte of the rank's own row lies in the file. */
static long place_of(long i)
{
	return (i / block * every + rank) * block + i % block;
}

static unsigned char *row(int is_filled)
{
	unsigned char *bytes = calloc((size_t)blocks, (size_t)block);

	for (long i = 0; is_filled && i < blocks * block; i++)
		bytes[i] = byte_at(place_of(i));
	return bytes;
}

static void check(const unsigned char *bytes)
{
	for (long i = 0; i < blocks * block; i++)
		if (bytes[i] != byte_at(place_of(i)))
			fail(4);
}

static void split(const char *pair, char key[64], char value[256])
{
	if (sscanf(pair, "%63[^=]=%255[^\n]", key, value) != 2)
		fail(5);
}

static void hint(const char *pair)
{
	char key[64], value[256];

	split(pair, key, value);
	if (made == MPI_INFO_NULL)
		MUST(MPI_Info_create(&made));
	MUST(MPI_Info_set(made, key, value));
	put[count++] = pair;
	info = made;
}

static void check_info(void)
{
	char key[64], value[256], got[256];
	int keys = 0, found;

	if (made == MPI_INFO_NULL)
		return;
	MUST(MPI_Info_get_nkeys(made, &keys));
	if (keys != count)
		fail(3);
	for (int i = 0; i < count; i++) {
		split(put[i], key, value);
		MUST(MPI_Info_get(made, key, 255, got, &found));
		if (!found || strcmp(value, got))
			fail(3);
	}
	MUST(MPI_Info_free(&made));
}

static void open_file(const char *path)
{
	if (file != MPI_FILE_NULL)
		MUST(MPI_File_close(&file));
	MUST(MPI_File_open(MPI_COMM_WORLD, path,
			   MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
}

static void open_missing(const char *path)
{
	char name[4096];
	MPI_File none;

	snprintf(name, sizeof(name), "%s.d/missing", path);
	if (!MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, info, &none))
		fail(5);
}

static void look(const char *words)
{
	MPI_Datatype type;

	if (sscanf(words, "%ld:%ld:%ld", &block, &blocks, &every) != 3)
		fail(5);
	MUST(MPI_Type_vector((int)blocks, (int)block, (int)(block * every),
			     MPI_BYTE, &type));
	MUST(MPI_Type_commit(&type));
	MUST(MPI_File_set_view(file, rank * block, MPI_BYTE, type, "native",
			       info));
	MUST(MPI_Type_free(&type));
}

static void move(const char *how)
{
	int is_read = !strncmp(how, "read", 4), n = (int)(blocks * block);
	int is_all = strstr(how, "_all") != NULL;
	unsigned char *bytes = row(!is_read);

	if (is_read)
		MUST((is_all ? MPI_File_read_at_all : MPI_File_read_at)(
			file, 0, bytes, n, MPI_BYTE, MPI_STATUS_IGNORE));
	else
		MUST((is_all ? MPI_File_write_at_all : MPI_File_write_at)(
			file, 0, bytes, n, MPI_BYTE, MPI_STATUS_IGNORE));
	if (is_read)
		check(bytes);
	free(bytes);
	MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void play(const char *path, const char *word)
{
	if (!strncmp(word, "hint:", 5))
		hint(word + 5);
	else if (!strncmp(word, "view:", 5))
		look(word + 5);
	else if (!strcmp(word, "null"))
		info = MPI_INFO_NULL;
	else if (!strcmp(word, "open"))
		open_file(path);
	else if (!strcmp(word, "fatal"))
		MUST(MPI_File_set_errhandler(MPI_FILE_NULL,
					     MPI_ERRORS_ARE_FATAL));
	else if (!strcmp(word, "info"))
		MUST(MPI_File_set_info(file, info));
	else if (!strcmp(word, "missing"))
		open_missing(path);
	else
		move(word);
}

int main(int argc, char **argv)
{
	MUST(MPI_Init(&argc, &argv));
	MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	for (int i = 2; i < argc; i++)
		play(argv[1], argv[i]);
	if (file != MPI_FILE_NULL)
		MUST(MPI_File_close(&file));
	check_info();
	MUST(MPI_Finalize());
	return 0;
}
