/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Made the traces in tree/: three ranks with calls of four layers.
 * The aggregator is not the caller, a rank comes late, an operation ends on
 * another thread, a call never returns, calls are lost.
 * usage: make_tree RAW PACKED
 */
#include "rawmaker.h"

#include "trace/layout/trace_layout.h"

#include <stddef.h>

#define add rawmaker_put
#define US UINT64_C(1000)

enum {
	OPEN = 1,
	PWRITE = 23,
	PREAD = 22,
	REGION = 1900,
	WRITE_ALL = 2000,
	IWRITE = 2001,
	WAIT = 2002,
	DONE = 2003,
	H5D_WRITE = 2300,
	H5F_CLOSE = 2301,
	H5D_READ = 2302,
};

static const char head[] = "format=1\nweir=0.1.0\nhost=node01\n"
			   "created=1700000000000000000\nclock=ns\ntick0=0\n"
			   "mono0=0\nreal0=1700000000000000000\n"
			   "mult=4294967296\n";

static const char dictionary[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind size - size bytes\n"
	"kind off - off bytes\n"
	"kind text t detail quoted\n"
	"kind id u detail hex\n"
	"kind collkey u detail hex\n"
	"kind collseq o detail decimal\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n"
	"kind err - result decimal\n"
	"kind nothing - result none\n"
	"layer posix\n"
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 22 pread count read fd:fd len:size off:off\n"
	"call 23 pwrite count write fd:fd len:size off:off\n"
	"layer mark\n"
	"call 1900 region nothing mark name:text\n"
	"layer mpiio\n"
	"call 2000 MPI_File_write_at_all count write fh:fd len:size off:off "
	"coll:collkey seq:collseq\n"
	"call 2001 MPI_File_iwrite err submit fh:fd len:size id:id\n"
	"call 2002 MPI_Wait err wait\n"
	"call 2003 mpi_done count done id:id\n"
	"layer hdf5\n"
	"call 2300 H5Dwrite err write dset:fd coll:collkey seq:collseq\n"
	"call 2301 H5Fclose err close file:fd\n"
	"call 2302 H5Dread err read dset:fd\n";

static const char *const processes[] = {
	"pid=101\nexe=/bin/app\nstate=exited\nthread=1 101 0 0\n"
	"trait.rank=0\ntrait.size=3\n",
	"pid=102\nexe=/bin/app\nstate=exited\nthread=1 102 0 0\n"
	"thread=2 202 0 0\ntrait.rank=1\ntrait.size=3\n",
	"pid=103\nexe=/bin/app\nstate=cut\nthread=1 103 0 0\n"
	"trait.rank=2\ntrait.size=3\n",
};

/* Calls are put down as they end: first what they made, then themselves. */
static struct weir_event call(uint16_t id, uint8_t depth, uint64_t from,
			      uint64_t to)
{
	return (struct weir_event){
		.call = id, .depth = depth, .start = from * US,
		.dur = (to - from) * US, .flags = WEIR_EVENT_NOOFF,
	};
}

static struct weir_event moves(struct weir_event event, uint32_t handle,
			       int64_t off, uint64_t size)
{
	event.handle = handle;
	event.off = off;
	event.size = size;
	event.ret = (int64_t)size;
	event.flags &= (uint8_t)~WEIR_EVENT_NOOFF;
	return event;
}

static struct weir_event on(struct weir_event event, uint32_t handle)
{
	event.handle = handle;
	return event;
}

static void add_collective(struct rawmaker *to, struct weir_event event,
			   uint64_t coll, uint64_t seq)
{
	struct rawmaker_detail d = { .used = 0 };

	rawmaker_number(&d, coll);
	rawmaker_number(&d, seq + 1);
	add(to, event, &d);
}

/* A dataset of all three; rank 0 stores what it is given by the others. */
static void write_dataset(struct rawmaker *to, int is_aggregator, uint64_t late)
{
	if (is_aggregator) {
		add(to, moves(call(PWRITE, 2, 130, 180), 1, 0, 4096), NULL);
		add(to, moves(call(PWRITE, 2, 180, 190), 1, 4096, 8192), NULL);
	}
	add_collective(to, moves(call(WRITE_ALL, 1, 110 + late, 195 + late), 1,
				 0, 4096), 0xaa, 3);
	add_collective(to, on(call(H5D_WRITE, 0, 100 + late, 200 + late), 1),
		       0xaa, 1);
}

static void run_rank_0(struct rawmaker *to)
{
	rawmaker_start(to, to->store, 1, 1, 0);
	rawmaker_handle(to, 1, 3, WEIR_ORIGIN_INHERITED, 0, "/data/one.h5");
	write_dataset(to, 1, 0);
	/* On a clock that stands still: two calls and what each made. */
	add(to, moves(call(PREAD, 1, 250, 250), 1, 0, 10), NULL);
	add(to, on(call(H5D_READ, 0, 250, 250), 1), NULL);
	add(to, moves(call(PREAD, 1, 250, 250), 1, 10, 10), NULL);
	add(to, on(call(H5D_READ, 0, 250, 250), 1), NULL);
	add_collective(to, moves(call(WRITE_ALL, 0, 300, 340), 1, 0, 100),
		       0xcc, 0);
	add(to, moves(call(PWRITE, 1, 410, 420), 1, 0, 512), NULL);
	add(to, on(call(H5F_CLOSE, 0, 400, 450), 1), NULL);
	rawmaker_flush(to);
}

static void run_rank_1(struct rawmaker *to, struct rawmaker *beside)
{
	struct rawmaker_detail d = { .used = 0 };

	rawmaker_start(to, to->store, 2, 1, 0);
	rawmaker_handle(to, 1, 3, WEIR_ORIGIN_INHERITED, 0, "/data/one.h5");
	rawmaker_handle(to, 2, 4, WEIR_ORIGIN_INHERITED, 0, "/data/two");
	write_dataset(to, 0, 5);
	add_collective(to, moves(call(WRITE_ALL, 0, 220, 260), 2, 0, 64), 0xbb,
		       0);
	rawmaker_number(&d, 0x77);
	add(to, moves(call(IWRITE, 0, 265, 266), 2, 0, 64), &d);
	rawmaker_flush(to);
	rawmaker_start(beside, beside->store, 2, 2, 0);
	add(beside, moves(call(PWRITE, 1, 281, 289), 2, 0, 64), NULL);
	rawmaker_number(&d, 0x77);
	add(beside, moves(call(DONE, 1, 280, 290), 0, 0, 64), &d);
	add(beside, call(WAIT, 0, 280, 290), NULL);
	rawmaker_flush(beside);
}

/* Takes part in one call from within a region; then it is killed. */
static void run_rank_2(struct rawmaker *to)
{
	struct rawmaker_detail d = { .used = 0 };
	struct weir_event event;

	rawmaker_start(to, to->store, 3, 1, 0);
	rawmaker_handle(to, 1, 3, WEIR_ORIGIN_INHERITED, 0, "/data/one.h5");
	rawmaker_handle(to, 2, 4, WEIR_ORIGIN_INHERITED, 0, "/data/two");
	write_dataset(to, 0, 30);
	add(to, moves(call(PWRITE, 1, 245, 255), 2, 0, 128), NULL);
	add_collective(to, moves(call(WRITE_ALL, 0, 240, 260), 2, 64, 64), 0xbb,
		       0);
	add_collective(to, moves(call(WRITE_ALL, 1, 305, 345), 1, 100, 100),
		       0xcc, 0);
	rawmaker_text(&d, "step 1");
	add(to, call(REGION, 0, 301, 350), &d);
	add(to, moves(call(PREAD, 1, 361, 362), 1, 0, 7), NULL);
	rawmaker_number(&d, 2);
	rawmaker_number(&d, 363 * US);
	rawmaker_number(&d, 364 * US);
	event = call(WEIR_NOTE_LOSS, 0, 363, 363);
	add(to, event, &d);
	event = on(call(PREAD, 1, 372, 372), 1);
	event.flags |= WEIR_EVENT_ENTERED;
	add(to, event, NULL);
	event = on(call(H5D_READ, 0, 371, 371), 1);
	event.flags |= WEIR_EVENT_ENTERED;
	add(to, event, NULL);
	rawmaker_flush(to);
}

static void write_trace(struct weir_store *store)
{
	static struct rawmaker one, beside;

	one.store = beside.store = store;
	rawmaker_block(store, WEIR_BLOCK_HEAD, 0, head);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	for (uint32_t i = 0; i < 3; i++)
		rawmaker_block(store, WEIR_BLOCK_PROC, i + 1, processes[i]);
	run_rank_0(&one);
	run_rank_1(&one, &beside);
	run_rank_2(&one);
}

int main(int argc, char **argv)
{
	return rawmaker_main(argc, argv, write_trace);
}
