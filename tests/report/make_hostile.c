/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes traces that no recorder would: numbers at the ends of what there is,
 * layers and calls that nobody knows.
 * usage: make_hostile KIND RAW PACKED
 */
#include "rawmaker.h"

#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <string.h>

enum {
	OPEN = 1,
	READ = 20,
	WRITE = 21,
	PREAD = 22,
	PWRITE = 23,
	LSEEK = 40,
};

static const char kinds[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind size - size bytes\n"
	"kind off - off bytes\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n";

static const char calls[] =
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 20 read count read fd:fd len:size\n"
	"call 21 write count write fd:fd len:size\n"
	"call 22 pread count read fd:fd len:size off:off\n"
	"call 23 pwrite count write fd:fd len:size off:off\n"
	"call 40 lseek count seek fd:fd off:off\n";

static const uint64_t odd[] = {
	0, 1, 4095, 4096, 65535, 65536, INT32_MAX, UINT32_MAX,
	INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX,
};

#define ODD (sizeof(odd) / sizeof(*odd))

static void begin(struct weir_store *store, const char *dictionary)
{
	rawmaker_head(store, UINT64_C(1) << 32);
	if (dictionary)
		rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	rawmaker_proc(store, 1, 100, "exited");
}

static const char *plain(void)
{
	static char text[4096];

	snprintf(text, sizeof(text), "%slayer posix\n%s", kinds, calls);
	return text;
}

/* Every place, size, result and duration with every other. */
static void fill_numbers(struct weir_store *store)
{
	static const uint16_t ids[] = { READ, WRITE, PREAD, PWRITE, LSEEK };
	static struct rawmaker to;

	begin(store, plain());
	rawmaker_start(&to, store, 1, 1, 1000000);
	rawmaker_open(&to, 1, 3, 0, "/data/odd");
	for (size_t i = 0; i < ODD * ODD * ODD; i++) {
		struct weir_event event = {
			.call = ids[i % 5], .handle = 1, .start = to.clock,
			.dur = i % 7 ? 10 : odd[i / 7 % ODD] >> 2,
			.off = (int64_t)odd[i % ODD],
			.size = odd[i / ODD % ODD],
			.ret = (int64_t)odd[i / ODD / ODD],
			.flags = i % 11 ? 0 : WEIR_EVENT_NOOFF,
		};

		rawmaker_add(&to, &event);
	}
	rawmaker_flush(&to);
}

/* All depths, each with a layer of its own. */
static void fill_layers(struct weir_store *store)
{
	static struct rawmaker to;
	static char text[200000];
	size_t used = (size_t)snprintf(text, sizeof(text), "%slayer posix\n%s",
				       kinds, calls);

	for (unsigned i = 0; i < 2000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "layer layer%u\ncall %u call%u count "
					 "write fd:fd len:size\n", i, 3000 + i,
					 i);
	begin(store, text);
	rawmaker_start(&to, store, 1, 1, 1000000);
	rawmaker_open(&to, 1, 3, 0, "/data/deep");
	for (unsigned i = 0; i < 4000; i++) {
		struct weir_event event = {
			.call = (uint16_t)(3000 + i % 2000), .handle = 1,
			.depth = (uint8_t)(i % 256), .start = to.clock,
			.dur = 5, .size = 100, .ret = 100,
			.off = (int64_t)i * 100,
		};

		rawmaker_add(&to, &event);
	}
	rawmaker_flush(&to);
}

/* No dictionary, no such process, no such handle. */
static void fill_unknown(struct weir_store *store)
{
	static struct rawmaker to;

	begin(store, NULL);
	rawmaker_start(&to, store, 77, 9, 1000000);
	for (unsigned i = 0; i < 3000; i++) {
		struct weir_event event = {
			.call = (uint16_t)(i * 21), .handle = i,
			.start = to.clock, .dur = 1, .size = i, .ret = i,
			.flags = i % 3 ? 0 : WEIR_EVENT_FAILED,
		};

		if (event.call < WEIR_NOTE_FIRST)
			rawmaker_add(&to, &event);
	}
	rawmaker_flush(&to);
}

/* A process that made no call. */
static void fill_empty(struct weir_store *store)
{
	begin(store, plain());
}

/* Names with all that terminals and JSON could take for something else. */
static void fill_names(struct weir_store *store)
{
	static struct rawmaker to;
	char name[256] = "/data/\"quoted\\\"\x1b[31m\t\xff\xfe\n,{}[]%s%n";

	begin(store, plain());
	rawmaker_start(&to, store, 1, 1, 1000000);
	for (unsigned handle = 1; handle < 200; handle++) {
		struct weir_event event = {
			.call = WRITE, .handle = handle, .dur = 1000,
			.size = 10, .ret = 10,
		};

		name[5] = (char)(handle % 255 + 1);
		rawmaker_open(&to, handle, 3, 0, name);
		for (unsigned i = 0; i < 10; i++) {
			event.start = to.clock;
			event.off = (int64_t)i * 10;
			rawmaker_add(&to, &event);
		}
	}
	rawmaker_flush(&to);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fill)(struct weir_store *store);
	} made[] = {
		{ "numbers", fill_numbers }, { "layers", fill_layers },
		{ "unknown", fill_unknown }, { "empty", fill_empty },
		{ "names", fill_names },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(made) / sizeof(*made); i++)
		if (!strcmp(argv[1], made[i].name))
			return rawmaker_main(argc - 1, argv + 1,
					     made[i].fill);
	return 2;
}
