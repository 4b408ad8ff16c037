/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what could not be stored of all files in rescue files. */
#include "serve/rescue/rescueall.h"

#include "serve/failures/failures.h"
#include "serve/failures/unstored.h"
#include "serve/files/filefailures.h"
#include "serve/files/files.h"
#include "serve/rescue/rescuefile.h"
#include "serve/session/recordevents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_file(const struct weir_state_failure *entry, void *arg)
{
	const struct weir_file *file = arg;

	return entry->file == file->place && entry->turn == file->turn;
}

static void keep_file(struct weir_file *file, void *directory)
{
	char name[PATH_MAX];
	struct weir_failures_end end = {.is_meant = is_of_file,
					.arg = file,
					.fate = WEIR_FATE_RESCUED,
					.rescue = name};
	int err;

	if (!weir_filefailures_error(file))
		return;
	pthread_mutex_lock(&file->staging);
	pthread_mutex_lock(&file->lock);
	err = weir_index_bytes(file->index)
		      ? weir_rescuefile_write(directory, file, name)
		      : -EALREADY;
	if (err == -EALREADY) { /* what was not, is hidden by what is stored */
		end.fate = WEIR_FATE_RESOLVED;
		end.rescue = NULL;
	} else if (err == -ENODATA) { /* nobody could find it any more */
		end.fate = WEIR_FATE_DISCARDED;
		end.rescue = NULL;
	}
	if (!err)
		weir_recordevents_rescued(file);
	if (!err || err == -ENODATA || err == -EALREADY)
		weir_failures_close(&end);
	pthread_mutex_unlock(&file->lock);
	pthread_mutex_unlock(&file->staging);
}

uint32_t weir_rescueall(const char *directory)
{
	char *place = strdup(directory);

	if (place && *place)
		weir_files_each(keep_file, place);
	free(place);
	return weir_unstored_count();
}
