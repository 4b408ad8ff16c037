/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks start two more processes, by one call or by two commands of one;
 * all write a file with those of their own world.
 */
#include <mpi.h>
#include <string.h>

static void start_more(char *own, int several, MPI_Comm *children)
{
	char *commands[] = { own, own };
	int counts[] = { 1, 1 };
	MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };

	if (several)
		MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts,
					infos, 0, MPI_COMM_WORLD, children,
					MPI_ERRCODES_IGNORE);
	else
		MPI_Comm_spawn(own, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
			       MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE);
}

static void write_file(const char *name)
{
	MPI_File file;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
		      MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, rank * 4, "abc", 4, MPI_BYTE,
			      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	MPI_Comm other;

	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&other);
	if (other == MPI_COMM_NULL) {
		start_more(argv[0], argc > 1 && !strcmp(argv[1], "several"),
			   &other);
		write_file("parents");
	} else {
		write_file("children");
	}
	MPI_Comm_disconnect(&other);
	MPI_Finalize();
	return 0;
}
