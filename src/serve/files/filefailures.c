/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters ranges of a file that could not be stored into the ledger. */
#include "serve/files/filefailures.h"

#include "serve/failures/failures.h"

void weir_filefailures_add(struct weir_file *file, uint64_t offset,
			   uint64_t length, int error)
{
	struct weir_failures_one failure = {
		.range = {file->place, file->turn, offset, length},
		.error = error,
		.tries = file->tries + 1,
		.path = file->kept->path,
	};

	weir_failures_fail(&failure);
}

void weir_filefailures_settle(struct weir_file *file, uint64_t offset,
			      uint64_t length, enum weir_state_fate fate)
{
	struct weir_failures_range range = {file->place, file->turn, offset,
					    length};

	weir_failures_settle(&range, fate);
}

int weir_filefailures_error(const struct weir_file *file)
{
	return -weir_failures_error(file->place, file->turn);
}
