/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into libweir-inject.so in place of bare system calls: the n-th one
 * of a process image fails. The environment says which:
 *
 *   WEIR_INJECT=IMAGE:N:K:M in images of that name (`main`, `exec`; `fork`:
 *                           in their forked children) the N-th call fails
 *                           with the K-th errno that it may well have;
 *                           M is 1: all later ones of its kind do, too
 *   WEIR_INJECT_LOG=FILE    what failed is told there, a line each:
 *                           CALL ERRNO, and how many errnos there are
 *   WEIR_IMAGE=IMAGE        the name of this image (else `main`)
 *   WEIR_INJECT_NS=1        the kernel's clock cannot be found out, so each
 *                           call reads one
 */
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define MOST_ERRNOS 6

int weir_inject_clock(clockid_t id, struct timespec *now);

/* Calls that are not here cannot fail, or are the program's own. */
static const struct plausible {
	long number;
	const char *name;
	int errnos[MOST_ERRNOS]; /* up to a 0 */
} table[] = {
	{ SYS_openat, "openat", { EMFILE, ENOENT, EACCES, ENOMEM, EINTR } },
	{ SYS_mmap, "mmap", { ENOMEM, EAGAIN } },
	{ SYS_munmap, "munmap", { ENOMEM } },
	{ SYS_madvise, "madvise", { ENOMEM, EINVAL } },
	{ SYS_fallocate, "fallocate", { ENOSPC, EINTR, EOPNOTSUPP, EIO } },
	{ SYS_fstat, "fstat", { EIO, ENOMEM } },
	{ SYS_close, "close", { EINTR, EIO } },
	{ SYS_unlinkat, "unlinkat", { EROFS, EIO } },
	{ SYS_mkdirat, "mkdirat", { ENOSPC, EACCES, EROFS } },
	{ SYS_symlinkat, "symlinkat", { ENOSPC, EACCES } },
	{ SYS_readlinkat, "readlinkat", { ENOENT, EACCES, ENOMEM } },
	{ SYS_read, "read", { EIO, EINTR } },
	{ SYS_pwrite64, "pwrite", { ENOSPC, EIO } },
	{ SYS_prlimit64, "prlimit", { EPERM } },
	{ SYS_getrandom, "getrandom", { EINTR, ENOSYS } },
	{ SYS_uname, "uname", { EFAULT } },
	{ SYS_getcwd, "getcwd", { ENOENT, ERANGE } },
	{ SYS_nanosleep, "nanosleep", { EINTR } },
	{ SYS_faccessat, "faccessat", { EACCES, EIO } },
	{ SYS_lseek, "lseek", { EINVAL } },
	{ SYS_fchmod, "fchmod", { EPERM, EIO } },
	{ SYS_process_vm_readv, "process_vm_readv", { EPERM, ENOSYS } },
	{ SYS_wait4, "wait4", { EINTR, ECHILD } },
	{ SYS_clock_gettime, "clock_gettime", { EINVAL } },
	{ SYS_socket, "socket", { EMFILE, ENOMEM, EACCES } },
	{ SYS_connect, "connect", { ECONNREFUSED, EAGAIN, EINTR, EACCES } },
	{ SYS_sendmsg, "sendmsg", { EPIPE, EAGAIN, ENOBUFS, EINTR } },
	{ SYS_recvmsg, "recvmsg", { ECONNRESET, EAGAIN, EINTR, ENOMEM } },
	{ SYS_futex, "futex", { EINTR, EAGAIN } }, /* to wait */
	{ SYS_sched_getaffinity, "sched_getaffinity", { EPERM } },
};

static char environment[1 << 16];
static bool ready, chosen, in_children, no_counter;
static long first_pid;
static unsigned long wanted, variant, for_ever;
static _Atomic long broken = -1; /* the kind of call that always fails */
static const char *log_path;
static _Atomic unsigned long count;

static const char *setting(const char *name, size_t size)
{
	size_t len = strlen(name);

	for (size_t at = 0; at < size; at += strlen(environment + at) + 1)
		if (!strncmp(environment + at, name, len) &&
		    environment[at + len] == '=')
			return environment + at + len + 1;
	return NULL;
}

static const char *parse_number(const char *text, unsigned long *ret)
{
	*ret = 0;
	while (*text >= '0' && *text <= '9')
		*ret = *ret * 10 + (unsigned long)(*text++ - '0');
	return *text ? text + 1 : text;
}

/* The loader has not set up libc's environment when the first call comes. */
static void prepare(void)
{
	long fd = weir_sys_call(SYS_openat, AT_FDCWD,
				(long)"/proc/self/environ",
				O_RDONLY | O_CLOEXEC, 0, 0, 0);
	long size = 0, n = 1;
	const char *order, *image;

	ready = true;
	while (n > 0 && size < (long)sizeof(environment) - 1) {
		n = weir_sys_call(SYS_read, fd, (long)environment + size,
				  (long)sizeof(environment) - 1 - size, 0, 0,
				  0);
		size += n > 0 ? n : 0;
	}
	weir_sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
	order = setting("WEIR_INJECT", (size_t)size);
	image = setting("WEIR_IMAGE", (size_t)size);
	log_path = setting("WEIR_INJECT_LOG", (size_t)size);
	no_counter = setting("WEIR_INJECT_NS", (size_t)size);
	first_pid = weir_sys_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
	if (!order || !log_path)
		return;
	image = image ? image : "main";
	in_children = !strncmp(order, "fork:", 5);
	chosen = in_children || (!strncmp(order, image, strlen(image)) &&
				 order[strlen(image)] == ':');
	order = parse_number(strchr(order, ':') + 1, &wanted);
	parse_number(parse_number(order, &variant), &for_ever);
}

static size_t put(char *line, size_t at, const char *text)
{
	size_t len = strlen(text);

	memcpy(line + at, text, len);
	return at + len;
}

static size_t put_number(char *line, size_t at, int number)
{
	if (number > 9)
		at = put_number(line, at, number / 10);
	line[at] = (char)('0' + number % 10);
	return at + 1;
}

static void tell(const char *name, int err, int variants)
{
	char line[80];
	size_t len = put(line, 0, name);
	long fd = weir_sys_call(SYS_openat, AT_FDCWD, (long)log_path,
				O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
				0600, 0, 0);

	len = put_number(line, put(line, len, " "), err);
	len = put_number(line, put(line, len, " "), variants);
	len = put(line, len, "\n");
	weir_sys_call(SYS_write, fd, (long)line, (long)len, 0, 0, 0);
	weir_sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static int choose(long number)
{
	const struct plausible *row = NULL;
	int variants = 0, err;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].number == number)
			row = &table[i];
	if (!ready)
		prepare();
	if (no_counter && number == SYS_openat) {
		no_counter = false; /* the first one: which clock it is */
		return ENOENT;
	}
	if (!row || !chosen || in_children ==
	    (weir_sys_call(SYS_getpid, 0, 0, 0, 0, 0, 0) == first_pid))
		return 0;
	if (atomic_fetch_add(&count, 1) + 1 != wanted && broken != number)
		return 0;
	while (variants < MOST_ERRNOS && row->errnos[variants])
		variants++;
	err = row->errnos[variant % (unsigned long)variants];
	if (broken < 0)
		tell(row->name, err, variants);
	if (for_ever && err != EINTR) /* interrupts end */
		broken = number;
	return err;
}

/* A close that fails has closed; a child that is gone has been waited for. */
static bool happens_anyway(long number, int err)
{
	return number == SYS_close || (number == SYS_wait4 && err == ECHILD);
}

/* To wake somebody always works. */
static bool can_fail(long number, long how)
{
	return number != SYS_futex || how == FUTEX_WAIT;
}

long weir_inject_call(long number, long a, long b, long c, long d, long e,
		      long f)
{
	int err = can_fail(number, b) ? choose(number) : 0;

	if (!err || happens_anyway(number, err)) {
		long ret = weir_sys_call(number, a, b, c, d, e, f);

		return err ? -err : ret;
	}
	return -err;
}

int weir_inject_clock(clockid_t id, struct timespec *now)
{
	int err = choose(SYS_clock_gettime);

	if (!err)
		return clock_gettime(id, now);
	errno = err;
	return -1;
}
