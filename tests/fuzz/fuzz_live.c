/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds what brings back a killed process's records live files that the
 * process wrote as it liked: a whole one with any changes, each an offset, a
 * length and bytes. What it stores must be a trace that can be read.
 */
#include "patches.h"
#include "target.h"
#include "trace/file/blocks.h"
#include "trace/live/salvage.h"
#include "trace/file/store.h"

#include <fcntl.h>
#include <stdio.h>

#define UNITS 4

static struct {
	union {
		struct weir_live head;
		uint8_t bytes[WEIR_LIVE_HEAD_BYTES];
	};
	struct {
		union {
			struct weir_slot slot;
			uint8_t slot_bytes[WEIR_LIVE_SLOT_BYTES];
		};
		union {
			struct weir_chunk_head chunk;
			uint8_t chunk_bytes[WEIR_LIVE_CHUNK_BYTES];
		};
		uint64_t data[WEIR_LIVE_DATA_BYTES / 8];
	} units[UNITS];
} image, whole;

static char directory[] = "/dev/shm/weir-fuzz-XXXXXX", path[64];
static int file_fd, store_fd;

static void fill_unit(uint32_t unit, uint32_t sequence)
{
	struct weir_chunk_head *chunk = &whole.units[unit].chunk;
	uint64_t *data = whole.units[unit].data;

	*chunk = (struct weir_chunk_head){ .thread = 1, .sequence = sequence,
					   .used = 32, .records = 2 };
	data[0] = 1; /* a site is defined */
	data[1] = 7;
	data[2] = 100;
	data[3] = 0; /* and used */
}

/* A thread with a full chunk, an open one, sums, and a call in flight. */
static void make_whole(void)
{
	struct weir_slot *slot = &whole.units[0].slot;

	memcpy(whole.head.magic, WEIR_LIVE_MAGIC, sizeof(whole.head.magic));
	whole.head.version = 1;
	whole.head.pid = (uint32_t)getpid();
	whole.head.ready = UNITS;
	whole.head.slots = whole.head.threads = 1;
	whole.head.full[0] = 2;
	strcpy(whole.head.exe, "/bin/fake");
	whole.head.args_bytes = 5;
	memcpy(whole.head.args, "fake", 5);
	fill_unit(1, 1);
	fill_unit(2, 2);
	slot->state = WEIR_SLOT_LIVE;
	slot->thread = 1;
	slot->commit = 32 | WEIR_COMMIT_DEPTH_ONE;
	slot->chunk = UINT64_C(2) << 32 | 2;
	slot->sums = 4;
	slot->frames[0] = (struct weir_slot_frame){ .start = 1, .call = 7 };
	whole.units[3].chunk.thread = 1;
}

static void leave(void)
{
	unlink(path);
	rmdir(directory);
}

static void begin(void)
{
	make_whole();
	must(!!mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/1-0.live", directory);
	file_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	store_fd = memfd_create("store", MFD_CLOEXEC);
	must(file_fd >= 0 && store_fd >= 0);
	atexit(leave);
}

static int is_whole(void *data, const struct weir_blocks_found *found)
{
	struct weir_bytes payload = { 0 };
	struct weir_zip zip = { 0 };

	must(!weir_blocks_load(store_fd, found, &zip, &payload));
	weir_bytes_fini(&payload);
	weir_zip_fini(&zip);
	return 0;
}

static void salvage(void)
{
	struct weir_blocks blocks;
	struct weir_store *store;
	uint32_t next = 1;

	must(!ftruncate(store_fd, 0));
	must(!weir_store_adopt(dup(store_fd), &store));
	weir_salvage_dir(directory, store, &next);
	weir_store_close(store);
	weir_blocks_init(&blocks, store_fd);
	must(!weir_blocks_each(&blocks, is_whole, NULL));
	must(!blocks.damaged_bytes);
	weir_blocks_fini(&blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length = sizeof(image) - (size % 8 ? 0 : size * 8);

	if (!file_fd)
		begin();
	image = whole;
	patch(&image, sizeof(image), data, size);
	if (length > sizeof(image))
		length = 0;
	must(!ftruncate(file_fd, 0));
	must(pwrite(file_fd, &image, length, 0) == (ssize_t)length);
	salvage();
	return 0;
}

const struct fuzz_shape fuzz_shape = {
	.part = find_patch,
	.head = sizeof(struct patch),
	.numbers = patch_numbers,
	.pack = pack_patch,
};
