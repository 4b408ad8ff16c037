/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs what a killed recorder left, aside, so that it can be read. */
#include "trace/read/packaside.h"

#include "trace/file/store.h"
#include "trace/live/salvage.h"
#include "trace/read/readshelf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* For file systems that do not know files without a name. */
static int make_unnamed(const char *dir)
{
	char path[PATH_MAX];
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/weir-XXXXXX", dir) >=
	    sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int weir_packaside_open(int *ret_fd)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
	fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = make_unnamed(dir);
	if (fd < 0)
		fd = memfd_create("weir", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

static int duplicate(int fd, int *ret_fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (copy < 0)
		return -errno;
	*ret_fd = copy;
	return 0;
}

/* Copies what the live files hold; a directory that is gone holds nothing. */
static int salvage(const char *live_dir, int *ret_fd)
{
	struct weir_store *store;
	uint32_t next_process = 1;
	int fd, err;

	err = weir_packaside_open(&fd);
	if (!err)
		err = weir_store_adopt(fd, &store);
	if (err)
		return err;
	err = weir_salvage_dir(live_dir, store, &next_process);
	if (err == -ENOENT || err == -ENOTDIR)
		err = 0;
	if (!err)
		err = duplicate(weir_store_fd(store), ret_fd);
	weir_store_close(store);
	return err;
}

static int start_pack(int raw_fd, int to_fd, struct weir_pack **ret_pack)
{
	int raw = -1, packed = -1, err = duplicate(to_fd, &packed);

	if (err)
		return err;
	err = duplicate(raw_fd, &raw);
	if (err) {
		close(packed);
		return err;
	}
	err = weir_pack_adopt(raw, packed, ret_pack);
	if (!err)
		weir_pack_bound_names(*ret_pack, WEIR_READSHELF_NAMES);
	return err;
}

/*
 * The live files come first: a chunk that a running collector moves in the
 * meantime is then seen twice, which the packer notices, and not missed.
 */
int weir_packaside_fill(int raw_fd, const char *live_dir, int to_fd,
			struct weir_pack_totals *ret_totals)
{
	struct weir_pack *pack = NULL;
	int live_fd = -1, err = 0;

	if (live_dir)
		err = salvage(live_dir, &live_fd);
	if (!err)
		err = start_pack(raw_fd >= 0 ? raw_fd : live_fd, to_fd, &pack);
	if (!err && raw_fd >= 0 && live_fd >= 0) {
		err = weir_pack_continue(pack, live_fd);
		live_fd = -1;
	}
	if (!err)
		err = weir_pack_finish(pack, ret_totals);
	weir_pack_close(pack);
	if (live_fd >= 0)
		close(live_fd);
	return err;
}
