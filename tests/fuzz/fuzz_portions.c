/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds what takes a file of many processes apart, and what mends one that was
 * cut short, any blocks: the parts together can be read, and mending ends.
 */
#include "target.h"
#include "trace/file/blocks.h"
#include "trace/file/portions.h"
#include "trace/file/store.h"
#include "trace_shape.h"

#include <errno.h>

static int count_block(void *data, const struct weir_blocks_found *found)
{
	++*(unsigned *)data;
	return 0;
}

static void take_parts(int fd)
{
	struct weir_portions *parts;
	struct weir_store *store;
	struct weir_blocks blocks;
	unsigned found = 0;
	int copy = memfd_create("fuzz", MFD_CLOEXEC);

	must(copy >= 0 && !weir_store_adopt(dup(copy), &store));
	if (!weir_portions_open(dup(fd), &parts)) {
		for (uint32_t i = 0; i < weir_portions_count(parts); i++)
			if (!weir_portions_put(parts, i, store))
				weir_portions_pid(parts, i);
		weir_portions_close(parts);
	}
	weir_store_close(store);
	weir_blocks_init(&blocks, copy);
	weir_blocks_each(&blocks, count_block, &found);
	must(!blocks.damaged_bytes);
	weir_blocks_fini(&blocks);
	close(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = sealed_file(data, size), err;

	take_parts(fd);
	err = weir_portions_mend(fd);
	must(!err || err == -EBADMSG);
	if (!err)
		must(!weir_portions_mend(fd)); /* once is enough */
	close(fd);
	return 0;
}
