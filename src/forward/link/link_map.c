/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and maps the memory of a session. */
#include "forward/link/link_map.h"

#include "base/append.h"
#include "base/sys.h"
#include "base/append.h"
#include "forward/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Whatever becomes of the daemon, what we map must not become shorter. */
static int check_file(int fd, uint64_t bytes)
{
	struct stat about;
	long seals = weir_sys3(SYS_fcntl, fd, F_GET_SEALS, 0);

	if (seals < 0 || !(seals & F_SEAL_SHRINK) ||
	    weir_sys2(SYS_fstat, fd, &about) || (uint64_t)about.st_size < bytes)
		return -EPROTO;
	return 0;
}

static int map_file(int fd, uint64_t bytes, int how, void **ret_at)
{
	int ret = check_file(fd, bytes);
	long at;

	if (ret)
		return ret;
	at = weir_sys6(SYS_mmap, 0, bytes, how, MAP_SHARED, fd, 0);
	if (weir_sys_failed(at))
		return (int)at;
	weir_sys3(SYS_madvise, at, bytes, MADV_DONTDUMP);
	*ret_at = (void *)at;
	return 0;
}

/*
 * As long as somebody maps it, the daemon knows that the session is used. One
 * that has no name any more was given up before we came (-ESTALE).
 */
static int show_presence(const struct weir_link_map *map)
{
	char path[256]; /* handlers have small stacks */
	struct stat about;
	long fd, at;

	if (strlen(map->directory) + strlen(map->presence) + 2 > sizeof(path))
		return -ENAMETOOLONG;
	weir_append_path(path, map->directory, map->presence);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd == -ENOENT ? -ESTALE : (int)fd;
	if (weir_sys2(SYS_fstat, fd, &about) || !about.st_nlink)
		at = -ESTALE;
	else
		at = weir_sys6(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, fd, 0);
	weir_sys1(SYS_close, fd);
	return weir_sys_failed(at) ? (int)at : 0;
}

static int check_memory(const struct weir_link_map *map,
			const struct weir_session_page *page,
			const struct weir_board *board)
{
	if (page->magic != WEIR_SESSION_MAGIC ||
	    page->interface != WEIR_OP_INTERFACE ||
	    page->session != map->about.session ||
	    page->chunks != map->about.chunks)
		return -EPROTO;
	if (board->magic != WEIR_BOARD_MAGIC ||
	    board->interface != WEIR_OP_INTERFACE)
		return -EPROTO;
	return 0;
}

/* One that is mapped already stays: others may be looking at it. */
static void publish_board(const struct weir_board *board)
{
	const struct weir_board *none = NULL;

	if (!__atomic_compare_exchange_n(&weir_link.board, &none, board, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		weir_sys2(SYS_munmap, board, sizeof(*board));
}

static void publish_prefetch(unsigned char *memory, uint32_t chunks)
{
	weir_link.requests =
		(void *)(memory + weir_session_requests_at(chunks));
	weir_link.prefetch =
		(void *)(memory + weir_session_prefetch_at(chunks));
	weir_link.blocks =
		(void *)(memory + weir_session_block_heads_at(chunks));
	weir_link.block_bytes = memory + weir_session_blocks_at(chunks);
}

static void publish(unsigned char *memory, const struct weir_board *board)
{
	struct weir_session_page *page = (void *)memory;
	uint32_t chunks = page->chunks;

	weir_link.opens = (void *)(memory + weir_session_opens_at());
	weir_link.slots = (void *)(memory + weir_session_slots_at());
	weir_link.heads = (void *)(memory + weir_session_heads_at());
	weir_link.lanes = memory + weir_session_lanes_at(chunks);
	weir_link.chunks = memory + weir_session_chunks_at(chunks);
	publish_board(board);
	if (page->prefetch_blocks)
		publish_prefetch(memory, chunks);
	__atomic_store_n(&weir_link.page, page, __ATOMIC_RELEASE);
}

int weir_link_map(const struct weir_link_map *map)
{
	uint64_t bytes = weir_session_bytes(map->about.chunks);
	void *memory, *board;
	int ret;

	if (map->about.chunks > WEIR_SESSION_CHUNKS_MOST)
		return -EPROTO;
	ret = map_file(map->memory, bytes, PROT_READ | PROT_WRITE, &memory);
	if (ret)
		return ret;
	ret = map_file(map->board, sizeof(struct weir_board), PROT_READ,
		       &board);
	if (ret)
		goto no_board;
	ret = check_memory(map, memory, board);
	if (!ret)
		ret = show_presence(map);
	if (ret)
		goto unmap;
	publish(memory, board);
	return 0;
unmap:
	weir_sys2(SYS_munmap, board, sizeof(struct weir_board));
no_board:
	weir_sys2(SYS_munmap, memory, bytes);
	return ret;
}

/* What a name in the runtime directory leads to. */
static void *map_named(const char *directory, const char *name, uint64_t bytes,
		       bool writes)
{
	char path[256];
	void *at = NULL;
	long fd;

	if (strlen(directory) + strlen(name) + 2 > sizeof(path))
		return NULL;
	weir_append_path(path, directory, name);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path,
		       (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
	if (fd < 0)
		return NULL;
	if (map_file((int)fd, bytes, PROT_READ | (writes ? PROT_WRITE : 0),
		     &at))
		at = NULL;
	weir_sys1(SYS_close, fd);
	return at;
}

/*
 * The names lead to descriptors of the supervisor: when it has ended, its
 * number may be that of another one's.
 */
static bool is_right(const struct weir_board *board,
		     const struct weir_direct *direct, const char *directory)
{
	return board && direct && board->magic == WEIR_BOARD_MAGIC &&
	       board->interface == WEIR_OP_INTERFACE &&
	       direct->magic == WEIR_DIRECT_MAGIC &&
	       direct->interface == WEIR_OP_INTERFACE &&
	       direct->directory == weir_direct_name(directory);
}

struct weir_direct *weir_link_map_direct(const char *directory)
{
	struct weir_direct *direct =
		map_named(directory, WEIR_DIRECT_TABLE, sizeof(*direct), true);
	struct weir_board *board =
		direct ? map_named(directory, WEIR_DIRECT_BOARD, sizeof(*board),
				   false)
		       : NULL;

	if (is_right(board, direct, directory)) {
		publish_board(board);
		return direct;
	}
	if (board)
		weir_sys2(SYS_munmap, board, sizeof(*board));
	if (direct)
		weir_sys2(SYS_munmap, direct, sizeof(*direct));
	return NULL;
}
