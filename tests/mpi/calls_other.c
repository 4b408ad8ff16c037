/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked and set, larger counts, and calls that fail. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

#define NEW (MPI_MODE_CREATE | MPI_MODE_RDWR)

static void ask_position(MPI_File f)
{
	MPI_Datatype etype, filetype;
	MPI_Offset offset;
	char rep[MPI_MAX_DATAREP_STRING];
	MPI_Aint extent;

	MUST(MPI_File_get_position(f, &offset));
	tell_plain("MPI_File_get_position");
	saw("position", &offset, sizeof(offset));
	MUST(MPI_File_get_position_shared(f, &offset));
	tell_plain("MPI_File_get_position_shared");
	MUST(MPI_File_get_byte_offset(f, 8, &offset));
	tell_plain("MPI_File_get_byte_offset");
	saw("byte offset", &offset, sizeof(offset));
	MUST(MPI_File_get_view(f, &offset, &etype, &filetype, rep));
	tell_plain("MPI_File_get_view");
	saw("rep", rep, strlen(rep));
	MUST(MPI_File_get_type_extent(f, MPI_DOUBLE, &extent));
	tell_plain("MPI_File_get_type_extent");
	saw("extent", &extent, sizeof(extent));
}

static void ask_rest(MPI_File f)
{
	MPI_Errhandler handler;
	MPI_Offset size;
	MPI_Group group;
	int number;

	MUST(MPI_File_get_size(f, &size));
	tell_plain("MPI_File_get_size");
	saw("size", &size, sizeof(size));
	MUST(MPI_File_get_group(f, &group));
	tell_plain("MPI_File_get_group");
	MUST(MPI_Group_free(&group));
	MUST(MPI_File_get_amode(f, &number));
	tell_plain("MPI_File_get_amode");
	saw("amode", &number, sizeof(number));
	MUST(MPI_File_get_atomicity(f, &number));
	tell_plain("MPI_File_get_atomicity");
	saw("atomicity", &number, sizeof(number));
	MUST(MPI_File_get_errhandler(f, &handler));
	tell_plain("MPI_File_get_errhandler");
	MUST(MPI_File_set_errhandler(f, handler));
	tell_plain("MPI_File_set_errhandler");
	MUST(MPI_Errhandler_free(&handler));
}

static void set_hints(MPI_File f)
{
	MPI_Info info;

	MUST(MPI_File_get_info(f, &info));
	tell_plain("MPI_File_get_info");
	MUST(MPI_File_set_info(f, info));
	tell_together("MPI_File_set_info");
	MUST(MPI_Info_free(&info));
}

void try_questions(const char *directory)
{
	MPI_File f = open_file(directory, "asked", NEW);
	char path[4096];

	MUST(MPI_File_set_size(f, 5000));
	told_together("MPI_File_set_size", 5000, NOWHERE, 0);
	MUST(MPI_File_preallocate(f, 6000));
	told_together("MPI_File_preallocate", 6000, NOWHERE, 0);
	MUST(MPI_File_set_atomicity(f, 1));
	tell_together("MPI_File_set_atomicity");
	ask_position(f);
	ask_rest(f);
	set_hints(f);
	MUST(MPI_File_sync(f));
	tell_together("MPI_File_sync");
	close_file(&f);
	if (rank)
		return;
	snprintf(path, sizeof(path), "%s/asked", directory);
	MUST(MPI_File_delete(path, MPI_INFO_NULL));
	tell_plain("MPI_File_delete");
}

#if MPI_VERSION >= 4
void try_large(const char *directory)
{
	MPI_File f = open_file(directory, "large", NEW);
	long own = rank * 1000;
	MPI_Request request;

	fill(5);
	MUST(MPI_File_write_at_c(f, own, buffer, 100, MPI_BYTE,
				 MPI_STATUS_IGNORE));
	told_transfer("MPI_File_write_at", 100, own, 100);
	MUST(MPI_File_read_at_all_c(f, own, buffer, 25, MPI_INT,
				    MPI_STATUS_IGNORE));
	told_together("MPI_File_read_at_all", 100, own, 100);
	saw("large", buffer, 100);
	MUST(MPI_File_iwrite_at_c(f, own, buffer, 10, MPI_INT, &request));
	told_transfer("MPI_File_iwrite_at", 40, own, 0);
	MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
	tell_plain("MPI_Wait");
	told_done(40);
	close_file(&f);
}
#else
void try_large(const char *directory)
{
	(void)directory;
}
#endif

void try_errors(const char *directory)
{
	MPI_File f = open_file(directory, "placed", MPI_MODE_RDONLY), none;
	char path[4096];
	int ret;

	ret = MPI_File_write_at(f, 0, buffer, 10, MPI_BYTE,
				MPI_STATUS_IGNORE);
	tell((struct told){ .call = "MPI_File_write_at", .off = 0,
			    .ret = ret ? -1 : 10, .size = ret ? 0 : 10 });
	/* The code itself is another each time. */
	saw("write to read-only", &(int){ ret != 0 }, sizeof(int));
	close_file(&f);
	snprintf(path, sizeof(path), "%s/nowhere/at/all", directory);
	ret = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY,
			    MPI_INFO_NULL, &none);
	saw("open nothing", &(int){ ret != 0 }, sizeof(int));
	tell((struct told){ .call = "MPI_File_open", .off = NOWHERE,
			    .ret = -1, .together = 1 });
	ret = MPI_File_delete(path, MPI_INFO_NULL);
	tell((struct told){ .call = "MPI_File_delete", .off = NOWHERE,
			    .ret = ret ? -1 : 0 });
	none = MPI_FILE_NULL;
	ret = MPI_File_sync(none); /* passed on, and not told */
	saw("no file", &(int){ ret != 0 }, sizeof(int));
}
