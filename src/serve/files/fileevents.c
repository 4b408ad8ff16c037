/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of files into the trace: named, opened, materialised. */
#include "serve/files/fileevents.h"

#include "selftrace/selftrace.h"
#include "serve/files/fileflags.h"
#include "spec/calls.h"

void weir_fileevents_name(struct weir_file *file)
{
	if (atomic_load(&file->handle))
		return;
	atomic_store(&file->handle, weir_selftrace_name(file->kept->path));
	file->kept->is_told = atomic_load(&file->handle) != 0;
}

void weir_fileevents_introduce(struct weir_file *file)
{
	pthread_mutex_lock(&file->lock);
	weir_fileevents_name(file);
	weir_fileflags_show(file);
	pthread_mutex_unlock(&file->lock);
}

bool weir_fileevents_enter_open(void)
{
	return weir_selftrace_enter(WEIR_CALL_SERVE_OPEN, 0);
}

void weir_fileevents_leave_open(struct weir_file *file, uint64_t cid, int err)
{
	struct weir_selftrace_event event = {.call = WEIR_CALL_SERVE_OPEN,
					     .ret = err};

	if (file)
		event.handle = atomic_load(&file->handle);
	weir_selftrace_number(&event, cid);
	weir_selftrace_leave(&event);
}

void weir_fileevents_enter_creation(struct weir_fileevents_creation *creation)
{
	creation->is_told = false;
	if (!creation->cid)
		return;
	weir_fileevents_introduce(creation->file);
	creation->is_told =
		weir_selftrace_enter(WEIR_CALL_SERVE_MATERIALISE,
				     atomic_load(&creation->file->handle));
}

void weir_fileevents_leave_creation(struct weir_fileevents_creation *creation,
				    uint64_t bytes, int err)
{
	struct weir_selftrace_event event = {
		.call = WEIR_CALL_SERVE_MATERIALISE,
		.handle = atomic_load(&creation->file->handle),
		.size = bytes,
		.has_off = true,
		.ret = err ? err : (int64_t)bytes,
	};

	if (!creation->is_told)
		return;
	weir_selftrace_number(&event, creation->cid);
	weir_selftrace_leave(&event);
}
