/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks for hints: hints FILE open|view|info [KEY=VALUE]... ...
 *
 * After each of these calls rank 0 writes a line: its name, what was asked for
 * and what MPI_File_get_info tells then, with a tab between them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                             \
	do {                                                                   \
		if (call)                                                      \
			MPI_Abort(MPI_COMM_WORLD, 1);                          \
	} while (0)

static int rank;
static MPI_File file;

static void print_all(MPI_Info info)
{
	char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
	int count = 0, found;

	if (info != MPI_INFO_NULL)
		MUST(MPI_Info_get_nkeys(info, &count));
	for (int i = 0; i < count; i++) {
		MUST(MPI_Info_get_nthkey(info, i, key));
		MUST(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found));
		printf("%s%s=%s", i ? ";" : "", key, value);
	}
}

static void tell(const char *call, MPI_Info asked)
{
	MPI_Info made;

	if (rank)
		return;
	MUST(MPI_File_get_info(file, &made));
	printf("%s\t", call);
	print_all(asked);
	printf("\t");
	print_all(made);
	printf("\n");
	MUST(MPI_Info_free(&made));
}

/* What follows a call's word; none: nothing is asked for. */
static MPI_Info hints_of(char **words)
{
	MPI_Info info = MPI_INFO_NULL;

	for (; *words && strchr(*words, '='); words++) {
		char *value = strchr(*words, '=');

		if (info == MPI_INFO_NULL)
			MUST(MPI_Info_create(&info));
		*value = 0;
		MUST(MPI_Info_set(info, *words, value + 1));
		*value = '=';
	}
	return info;
}

static void ask(const char *path, char **words)
{
	MPI_Info info = hints_of(words + 1);

	if (!strcmp(*words, "open")) {
		MUST(MPI_File_open(MPI_COMM_WORLD, path,
				   MPI_MODE_CREATE | MPI_MODE_RDWR, info,
				   &file));
		tell("MPI_File_open", info);
	} else if (!strcmp(*words, "view")) {
		MUST(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native",
				       info));
		tell("MPI_File_set_view", info);
	} else if (!strcmp(*words, "info")) {
		MUST(MPI_File_set_info(file, info));
		tell("MPI_File_set_info", info);
	}
	if (info != MPI_INFO_NULL)
		MUST(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
	MUST(MPI_Init(&argc, &argv));
	MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	for (int i = 2; i < argc; i++)
		if (!strchr(argv[i], '='))
			ask(argv[1], argv + i);
	MUST(MPI_File_close(&file));
	MUST(MPI_Finalize());
	return 0;
}
