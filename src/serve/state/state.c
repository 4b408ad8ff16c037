/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes what outlives a daemon: the state, and the board that clients read. */
#include "serve/state/state.h"

#include "serve/state/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

struct weir_state *weir_state;
struct weir_board *weir_state_board;
int weir_state_board_fd = -1;
struct weir_direct *weir_state_direct;
static int direct_fd = -1;

uint64_t weir_state_work(void)
{
	return atomic_load(&weir_state->served) +
	       atomic_load(&weir_state->requests_out);
}

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

static int map_shared(int fd, size_t bytes, void *ret_at)
{
	void *at;

	if (ftruncate(fd, (off_t)bytes))
		return -errno;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	*(void **)ret_at = at;
	return 0;
}

static int make_board(uint64_t interface)
{
	int err, fd = memfd_create("weir-board",
				   MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	err = map_shared(fd, sizeof(*weir_state_board), &weir_state_board);
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

/* Where numbers of processes cannot be told apart, nobody uses it. */
static uint64_t pid_namespace(void)
{
	struct stat about;

	return stat("/proc/self/ns/pid", &about) ? 0 : about.st_ino;
}

static int make_direct(uint64_t interface, const char *place)
{
	int err, fd = memfd_create("weir-direct",
				   MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	err = map_shared(fd, sizeof(*weir_state_direct), &weir_state_direct);
	if (!err &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		err = -errno;
	if (err) {
		close(fd);
		return err;
	}
	weir_state_direct->magic = WEIR_DIRECT_MAGIC;
	weir_state_direct->interface = interface;
	weir_state_direct->directory = weir_direct_name(place);
	weir_state_direct->pids = pid_namespace();
	direct_fd = fd;
	return 0;
}

/* Clients find by name what is a descriptor of this process. */
static void name(const char *place, const char *name, int fd)
{
	char path[PATH_MAX], target[64];

	snprintf(target, sizeof(target), "/proc/%d/fd/%d", (int)getpid(), fd);
	if (!weir_runtime_name(place, name, path, sizeof(path)) &&
	    symlink(target, path))
		fprintf(stderr, "weir: %s: cannot be made: %s\n", path,
			strerror(errno));
}

int weir_state_make(uint64_t interface, const char *place)
{
	int err = make_state();

	err = err ? err : make_board(interface);
	return err ? err : make_direct(interface, place);
}

void weir_state_name(const char *place)
{
	name(place, WEIR_DIRECT_BOARD, weir_state_board_fd);
	name(place, WEIR_DIRECT_TABLE, direct_fd);
}
