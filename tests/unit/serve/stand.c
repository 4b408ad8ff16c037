/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in of the daemon around staging. */
#include "stand.h"

#include "base/clock.h"
#include "serve/failures/failures.h"
#include "serve/files/backing.h"
#include "serve/files/fileflags.h"
#include "serve/files/files.h"
#include "serve/log/sessionlist.h"
#include "serve/session/chunkpool.h"
#include "serve/session/recordevents.h"
#include "serve/staging/stage.h"
#include "serve/threads/stagewait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct stand_file stand_files[STAND_FILES];
struct weir_setup stand_setup;
_Atomic uint64_t stand_gone, stand_looks, stand_waiting;

/* What the daemon's other parts would have. */
struct weir_state *weir_state;
const struct weir_setup *weir_setup_used = &stand_setup;
const struct weir_backend *weir_backends_used;
void *weir_backends_self;

int64_t weir_backing_write(struct weir_file *file, const struct iovec *parts,
			   int count, uint64_t offset)
{
	return weir_backends_used->write(weir_backends_self, file->backing,
					 parts, count, (int64_t)offset);
}

int weir_backing_extent(struct weir_file *file,
			struct weir_backend_extent *ret_extent)
{
	return weir_backends_used->extent(weir_backends_self, file->backing,
					  ret_extent);
}

/* Nothing is recorded here. */
void weir_recordevents_enter_run(struct weir_recordevents_run *event)
{
}

void weir_recordevents_rescued(struct weir_file *file)
{
}

void weir_recordevents_leave_run(struct weir_recordevents_run *event,
				 uint64_t left, int err, bool gives_up)
{
}

struct record {
	struct weir_write write;
	unsigned char bytes[];
};

/* A stamp is for one write only; and it is taken when it is known. */
void stand_write(uint32_t number, uint64_t offset, const void *bytes,
		 uint32_t length)
{
	struct weir_file *file = &stand_files[number].file;
	struct record *record = malloc(sizeof(*record) + length);

	memcpy(record->bytes, bytes, length);
	pthread_mutex_lock(&file->lock);
	record->write = (struct weir_write){
		.stamp = weir_clock_ns(CLOCK_MONOTONIC),
		.offset = offset,
		.bytes = record->bytes,
		.length = length,
	};
	file->changed = record->write.stamp;
	if (!file->oldest)
		file->oldest = file->changed;
	weir_index_put(file->index, &record->write);
	pthread_mutex_unlock(&file->lock);
	weir_state->bytes_in += length;
	weir_stagewait_kick();
}

static void free_record(void *arg, struct weir_write *write)
{
	(void)arg;
	stand_gone++;
	free(write);
}

uint64_t stand_dirty(uint32_t number)
{
	struct weir_file *file = &stand_files[number].file;
	uint64_t bytes;

	pthread_mutex_lock(&file->lock);
	bytes = weir_index_bytes(file->index);
	pthread_mutex_unlock(&file->lock);
	return bytes;
}

void weir_files_each(void (*look)(struct weir_file *file, void *arg), void *arg)
{
	stand_looks++;
	for (uint32_t i = 0; i < STAND_FILES; i++)
		look(&stand_files[i].file, arg);
}

void weir_fileflags_show(struct weir_file *file)
{
	(void)file;
}

void weir_sessionlist_ingest(struct weir_file *file)
{
	(void)file;
}

void weir_sessionlist_ingest_all(void)
{
}

uint32_t weir_chunkpool_waiting(void)
{
	return (uint32_t)stand_waiting;
}

/* 0, or how a moody file answers this time. */
static int64_t mood(struct stand_file *file, uint64_t first)
{
	if (!file->is_moody)
		return 0;
	if (file->stores % 1000 == 2)
		return -EAGAIN;
	if (file->stores % 5 == 1)
		return -EINTR;
	return file->stores % 5 == 3 ? (int64_t)(first + 1) / 2 : 0;
}

static int64_t store_now(struct stand_file *file, const struct iovec *parts,
			 int count, int64_t offset)
{
	uint64_t at = (uint64_t)offset, end = at;
	int64_t most;

	file->stores++;
	most = mood(file, parts[0].iov_len);
	if (most < 0)
		return most;
	for (int i = 0; i < count; i++)
		end += parts[i].iov_len;
	if (most && (uint64_t)most < end - at)
		end = at + (uint64_t)most;
	if (file->bad_error && at < file->bad_end && end > file->bad_from) {
		if (at >= file->bad_from)
			return -file->bad_error;
		end = file->bad_from;
	}
	for (int i = 0; i < count && at < end; i++) {
		uint64_t length = parts[i].iov_len;

		if (length > end - at)
			length = end - at;
		memcpy(file->bytes + at, parts[i].iov_base, length);
		at += length;
	}
	return (int64_t)at - offset;
}

static int64_t store(void *self, void *backing, const struct iovec *parts,
		     int count, int64_t offset)
{
	struct stand_file *file = backing;
	uint32_t others = file->at_once++, most = file->most_at_once;
	struct timespec while_slow = { .tv_nsec = 5000000 };
	int64_t stored;

	(void)self;
	while (others + 1 > most &&
	       !atomic_compare_exchange_weak(&file->most_at_once, &most,
					     others + 1))
		;
	if (file->is_slow)
		nanosleep(&while_slow, NULL);
	stored = store_now(file, parts, count, offset);
	file->at_once--;
	return stored;
}

static int tell_extent(void *self, void *backing,
		       struct weir_backend_extent *ret_extent)
{
	struct stand_file *file = backing;
	struct stat st = { .st_nlink = 1 };

	(void)self;
	if (file->fd >= 0 && fstat(file->fd, &st))
		return -errno;
	*ret_extent = (struct weir_backend_extent){
		.size = st.st_size,
		.seconds = st.st_mtim.tv_sec,
		.nanoseconds = st.st_mtim.tv_nsec,
		.links = st.st_nlink,
	};
	return 0;
}

static const struct weir_backend backend = {
	.version = WEIR_BACKEND_VERSION,
	.name = "stand",
	.write = store,
	.extent = tell_extent,
};

static void make_file(uint32_t number)
{
	struct stand_file *made = &stand_files[number];

	memset(made, 0, sizeof(*made));
	made->fd = -1;
	made->file.place = 10 + number;
	made->file.turn = 2;
	made->file.backing = made;
	made->file.kept = &weir_state->files[10 + number];
	made->file.index = weir_index_new(free_record, NULL);
	pthread_mutex_init(&made->file.lock, NULL);
	pthread_mutex_init(&made->file.staging, NULL);
	snprintf(made->file.kept->path, PATH_MAX, "/some/file.%u", number);
}

int stand_begin(void **state)
{
	(void)state;
	stand_setup = (struct weir_setup){ .cache = 1 << 20, .stagers = 2,
					   .idle_ms = 5, .age_ms = 1000 };
	weir_state = mmap(NULL, sizeof(*weir_state), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	weir_backends_used = &backend;
	stand_gone = 0;
	stand_waiting = 0;
	for (uint32_t i = 0; i < STAND_FILES; i++)
		make_file(i);
	weir_failures_read();
	return weir_state == MAP_FAILED ? -1 : 0;
}

int stand_end(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < STAND_FILES; i++) {
		weir_index_cut(stand_files[i].file.index, 0);
		weir_index_free(stand_files[i].file.index);
	}
	return munmap(weir_state, sizeof(*weir_state));
}
