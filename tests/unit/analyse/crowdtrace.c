/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace of several processes and layers, made by hand. */
#include "crowdtrace.h"

#include "rawmaker.h"
#include "sample.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES 12

enum {
	OPEN = 1,
	CLOSE = 4,
	READ = 20,
	WRITE = 21,
	PREAD = 22,
	PWRITE = 23,
	LSEEK = 40,
	FSTAT = 61,
	FSYNC = 62,
	WRITE_AT = 2000,
	H5D_WRITE = 2300,
	H5D_READ = 2301,
};

static const char dictionary[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind size - size bytes\n"
	"kind off - off bytes\n"
	"kind whence - size whence\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n"
	"kind err - result decimal\n"
	"kind pos - result bytes\n"
	"layer posix\n"
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 4 close err close fd:fd\n"
	"call 20 read count read fd:fd len:size\n"
	"call 21 write count write fd:fd len:size\n"
	"call 22 pread count read fd:fd len:size off:off\n"
	"call 23 pwrite count write fd:fd len:size off:off\n"
	"call 40 lseek pos seek fd:fd off:off whence:whence\n"
	"call 61 fstat err meta fd:fd\n"
	"call 62 fsync err meta fd:fd\n"
	"layer mpiio\n"
	"call 2000 MPI_File_write_at count write fh:fd len:size off:off\n"
	"layer hdf5\n"
	"call 2300 H5Dwrite err write dset:fd len:size\n"
	"call 2301 H5Dread err read dset:fd len:size\n";

static uint64_t seed;

static uint64_t below(uint64_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed >> 33) % limit;
}

static struct weir_event call(const struct rawmaker *to, uint16_t id,
			      uint32_t handle)
{
	return (struct weir_event){
		.call = id, .handle = handle, .start = to->clock + below(50),
		.dur = 100 + below(900), .flags = WEIR_EVENT_NOOFF,
	};
}

static struct weir_event moves(struct weir_event event, int64_t off,
			       uint64_t bytes)
{
	event.off = off;
	event.size = bytes;
	event.ret = (int64_t)bytes;
	event.flags = WEIR_EVENT_RETSIZE;
	return event;
}

/* A call of HDF5 that makes one of MPI-IO, which makes two of the system. */
static void add_tower(struct rawmaker *to, uint32_t handle, int64_t off)
{
	uint64_t begin = to->clock + 10;
	struct weir_event event;

	for (int i = 0; i < 2; i++) {
		event = moves(call(to, PWRITE, handle), off + i * 512, 512);
		event.depth = 2;
		event.start = to->clock + 30;
		rawmaker_add(to, &event);
	}
	for (uint8_t depth = 2; depth--;) {
		event = moves(call(to, depth ? WRITE_AT : H5D_WRITE, handle),
			      off, 1024);
		event.depth = depth;
		event.start = begin + depth;
		event.dur = to->clock + 5 - event.start;
		rawmaker_add(to, &event);
	}
}

/* Few bytes of a dataset, for which HDF5 reads many of the file. */
static void add_selection(struct rawmaker *to, uint32_t handle, int64_t off)
{
	uint64_t begin = to->clock + 10;
	struct weir_event event = moves(call(to, PREAD, handle), off, 65536);

	event.depth = 1;
	event.start = begin + 5;
	rawmaker_add(to, &event);
	event = moves(call(to, H5D_READ, FILES + handle), 0, 64);
	event.start = begin;
	event.dur = to->clock + 5 - begin;
	event.flags |= WEIR_EVENT_NOOFF;
	rawmaker_add(to, &event);
}

static void add_seek(struct rawmaker *to, uint32_t handle, int64_t off)
{
	struct weir_event event = call(to, LSEEK, handle);

	event.flags = 0;
	event.off = event.ret = off;
	rawmaker_add(to, &event);
	event = moves(call(to, READ, handle), off, 8 + below(4096));
	rawmaker_add(to, &event);
}

static void add_any(struct rawmaker *to, uint32_t handle, int64_t next)
{
	static const uint16_t plain[] = { FSTAT, FSYNC };
	int64_t off = (int64_t)(below(64) * 4096);
	struct weir_event event;

	switch (below(9)) {
	case 0:
		add_tower(to, handle, off);
		return;
	case 1:
		add_seek(to, handle, off);
		return;
	case 8:
		add_selection(to, handle, off);
		return;
	case 2:
		event = call(to, plain[below(2)], handle);
		break;
	case 3:
		event = call(to, READ, handle);
		event.flags |= WEIR_EVENT_FAILED;
		event.ret = EIO;
		break;
	case 4:
		event = moves(call(to, PREAD, handle), off, 8 + below(100000));
		break;
	case 5:
		event = moves(call(to, WRITE, handle), off, 1 + below(200));
		event.flags |= WEIR_EVENT_NOOFF;
		break;
	default:
		event = moves(call(to, WRITE, handle), next * 128, 128);
	}
	rawmaker_add(to, &event);
}

/* Before all others on the file. */
static void add_unended(struct rawmaker *to)
{
	struct weir_event event = call(to, READ, 1);

	event.flags |= WEIR_EVENT_ENTERED;
	event.dur = 0;
	rawmaker_add(to, &event);
}

static void add_thread(struct weir_store *store, uint32_t proc,
		       uint32_t thread)
{
	static struct rawmaker to;
	char path[64];

	rawmaker_start(&to, store, proc, thread, 1000000 + proc * 7 + thread);
	add_unended(&to);
	for (uint32_t i = 0; thread == 1 && i < 2 * FILES; i++) {
		uint32_t file = i % FILES + 1;

		/* The last ones are of this process alone. */
		snprintf(path, sizeof(path), "/data/%u.%u%s", file,
			 file > CROWDTRACE_SHARED ? proc : 0,
			 i < FILES ? "" : ":/set");
		rawmaker_open(&to, i + 1, (int)file + 2, 0, path);
	}
	for (int64_t i = 0; i < CROWDTRACE_CALLS; i++)
		add_any(&to, 1 + (uint32_t)below(FILES), i);
	rawmaker_flush(&to);
}

int crowdtrace_make(uint64_t its_seed)
{
	int fd = sample_file();
	struct weir_store *store;

	seed = its_seed;
	if (weir_store_adopt(dup(fd), &store))
		abort();
	rawmaker_head(store, UINT64_C(1) << 32);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	for (uint32_t proc = 1; proc <= CROWDTRACE_PROCS; proc++) {
		rawmaker_proc(store, proc, 100 * proc, "exited");
		for (uint32_t thread = 1; thread < 3; thread++)
			add_thread(store, proc, thread);
	}
	weir_store_close(store);
	return fd;
}
