/* SPDX-License-Identifier: BSD-3-Clause */
/* What outlives a daemon: the state, and the board that clients read. */
#include "serve/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

struct weir_state *weir_state;
struct weir_board *weir_state_board;
int weir_state_board_fd = -1;

/* Pages that nobody has touched take no memory. */
static int make_state(void)
{
	void *at = mmap(NULL, sizeof(*weir_state), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	weir_state = at;
	return 0;
}

/*
 * What is mapped already stays writable. A kernel that does not know how to do
 * this hands out a descriptor that cannot write.
 */
static int seal(int fd)
{
	const int kept = F_SEAL_SHRINK | F_SEAL_GROW;
	char path[64];
	int only;

	if (!fcntl(fd, F_ADD_SEALS, kept | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL))
		return fd;
	if (fcntl(fd, F_ADD_SEALS, kept | F_SEAL_SEAL))
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	only = open(path, O_RDONLY | O_CLOEXEC);
	if (only < 0)
		return -errno;
	close(fd);
	return only;
}

static int map_board(int fd)
{
	void *at;

	if (ftruncate(fd, sizeof(*weir_state_board)))
		return -errno;
	at = mmap(NULL, sizeof(*weir_state_board), PROT_READ | PROT_WRITE,
		  MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	weir_state_board = at;
	return 0;
}

int weir_state_make(uint64_t interface)
{
	int fd = memfd_create("weir-board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int err;

	if (fd < 0)
		return -errno;
	err = make_state();
	if (!err)
		err = map_board(fd);
	if (err) {
		close(fd);
		return err;
	}
	weir_state_board->magic = WEIR_BOARD_MAGIC;
	weir_state_board->interface = interface;
	weir_state_board_fd = seal(fd);
	if (weir_state_board_fd >= 0)
		return 0;
	close(fd);
	return weir_state_board_fd;
}
