/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Enters what programs wrote and no daemon will store. The memory is theirs,
 * and a daemon has died of something: nothing in it is believed.
 */
#include "serve/supervisor/abandoned.h"

#include "serve/failures/failures.h"
#include "serve/state/keptfds.h"
#include "serve/state/state.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct memory {
	const unsigned char *bytes;
	uint32_t chunks;
};

static bool is_served(const struct weir_session_record *record)
{
	return record->file < WEIR_BOARD_FILES &&
	       atomic_load(&weir_state->files[record->file].live) &&
	       weir_state->files[record->file].turn == record->turn;
}

static void note_range(const struct weir_session_record *record)
{
	if (!record->length || !is_served(record) ||
	    atomic_load(&record->state) & WEIR_RECORD_DONE)
		return;
	weir_failures_fail(&(struct weir_failures_one){
		.range = {record->file, record->turn, record->offset,
			  record->length},
		.error = EIO,
		.path = weir_state->files[record->file].path,
	});
}

static void look_at_chunk(const unsigned char *chunk, uint32_t used)
{
	struct weir_session_record record;
	uint64_t at = 0;

	if (used > WEIR_SESSION_CHUNK)
		return;
	while (at + sizeof(record) <= used) {
		memcpy(&record, chunk + at, sizeof(record));
		at += sizeof(record) + weir_session_round(record.length, 8);
		if (at > used)
			return;
		note_range(&record);
	}
}

static void look_at_chunks(const struct memory *memory)
{
	const struct weir_session_head *heads =
		(const void *)(memory->bytes + weir_session_heads_at());
	const unsigned char *chunks =
		memory->bytes + weir_session_chunks_at(memory->chunks);

	for (uint32_t i = 0; i < memory->chunks; i++)
		if (atomic_load(&heads[i].phase) != WEIR_CHUNK_FREE)
			look_at_chunk(chunks + (size_t)i * WEIR_SESSION_CHUNK,
				      atomic_load(&heads[i].used));
}

static void look_at_session(uint32_t number)
{
	int fd = weir_keptfds_inherited(WEIR_KEPTFDS_SESSION, number);
	struct memory memory = {
		.chunks = weir_state->sessions[number].chunks,
	};
	size_t size = weir_session_bytes(memory.chunks);
	struct stat about;

	if (fd < 0 || memory.chunks > WEIR_SESSION_CHUNKS_MOST ||
	    fstat(fd, &about) || (size_t)about.st_size < size)
		return;
	memory.bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (memory.bytes == MAP_FAILED)
		return;
	look_at_chunks(&memory);
	munmap((void *)memory.bytes, size);
}

/* A file that is to be created: all of it is in memory. */
static void look_at_deferred(uint32_t place)
{
	const struct weir_state_deferred *kept = &weir_state->deferred[place];
	int fd = weir_keptfds_inherited(WEIR_KEPTFDS_DEFERRED, place);
	struct stat about = {0};

	if (!atomic_load(&kept->live) ||
	    atomic_load(&kept->phase) != WEIR_DEFERRED_NAMED)
		return;
	if (fd >= 0)
		fstat(fd, &about);
	weir_failures_fail(&(struct weir_failures_one){
		.range = {WEIR_BOARD_FILES + place, kept->turn, 0,
			  about.st_size ? (uint64_t)about.st_size : 1},
		.error = EIO,
		.path = kept->path,
	});
}

void weir_abandoned_tell(void)
{
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++)
		look_at_deferred(i);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (atomic_load(&weir_state->sessions[i].live))
			look_at_session(i);
}
