/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into the tool itself, never into a recorded program: the n-th
 * call that may fail does. The environment says which:
 *
 *   WEIR_SHIM=G:N:K:M   in processes of generation G (0: the tool, 1: those
 *                       it forks, 2: those they fork, the collector) the
 *                       N-th call fails with its K-th errno. M is 1: and so
 *                       do all later ones of its kind; 2: the process is
 *                       killed instead
 *   WEIR_SHIM_LOG=FILE  what failed is told there, a line each: CALL ERRNO,
 *                       and how many errnos there are
 *
 * All arguments are taken for words, six at most, so no header that declares
 * the functions may be included.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <sys/syscall.h>

#define SIGKILL  9
#define WRITTEN  0101  /* O_WRONLY | O_CREAT */
#define APPENDED 02000 /* O_APPEND */
#define NEW      0200  /* O_EXCL */
#define EXPORT   __attribute__((visibility("default")))

typedef long function(long a, long b, long c, long d, long e, long f);

char *getenv(const char *name);
int unsetenv(const char *name);
int setenv(const char *name, const char *value, int replace);
long syscall(long number, ...);
int atoi(const char *text);
char *strchr(const char *text, int letter);
size_t strlen(const char *text);
int snprintf(char *to, size_t room, const char *form, ...);

static int generation, wanted_generation, variant, mode;
static unsigned long wanted;
static char log_path[4096];
static _Atomic unsigned long count;
static const char *_Atomic broken; /* the kind of call that always fails */

static int next_number(const char **text)
{
	int number = atoi(*text);
	const char *colon = strchr(*text, ':');

	*text = colon ? colon + 1 : "";
	return number;
}

/* What the tool starts must not know of us. */
__attribute__((constructor)) static void prepare(void)
{
	const char *order = getenv("WEIR_SHIM");
	const char *path = getenv("WEIR_SHIM_LOG");

	unsetenv("LD_PRELOAD");
	if (!order || !path || strlen(path) >= sizeof(log_path))
		return;
	for (size_t i = 0; path[i]; i++)
		log_path[i] = path[i];
	wanted_generation = next_number(&order);
	wanted = (unsigned long)next_number(&order);
	variant = next_number(&order);
	mode = next_number(&order);
	unsetenv("WEIR_SHIM");
	unsetenv("WEIR_SHIM_LOG");
}

/* False: another process was first, and once is enough. */
static bool tell(const char *name, int err, int errnos)
{
	char line[80];
	int len = snprintf(line, sizeof(line), "%s %d %d\n", name, err,
			   errnos);
	long fd = syscall(SYS_openat, -100, log_path,
			  WRITTEN | (mode == 1 ? APPENDED : NEW), 0600);

	if (fd < 0)
		return false;
	syscall(SYS_write, fd, line, len);
	syscall(SYS_close, fd);
	return true;
}

static bool is_its_turn(const char *name)
{
	if (!wanted || generation != wanted_generation)
		return false;
	return atomic_fetch_add(&count, 1) + 1 == wanted || broken == name;
}

/* Says whether this call fails, and then sets errno. */
static bool fails(const char *name, const int *errnos, int errno_count)
{
	int err = errnos[variant % errno_count], saved = errno;

	if (!is_its_turn(name))
		return false;
	if (!broken && !tell(name, err, mode == 2 ? 1 : errno_count))
		return false;
	if (mode == 2)
		syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
	if (mode == 1 && err != EINTR && err != EAGAIN)
		broken = name; /* those two pass */
	errno = err ? err : saved;
	return true;
}

static function *find(function *_Atomic *known, const char *name)
{
	if (!*known)
		*known = (function *)dlsym(RTLD_NEXT, name);
	return *known;
}

#define WORDS long a, long b, long c, long d, long e, long f

/* Memory is needed before anything can be looked up. */
function __libc_malloc, __libc_calloc, __libc_realloc;

/* Made from shim.calls. */
#include "shim_functions.h"

/* Closing cannot be undone: it fails, but it is done. */
EXPORT long close(long fd);
EXPORT long close(long fd)
{
	static const int errnos[] = { EIO, EINTR };
	long ret = syscall(SYS_close, fd);

	return fails("close", errnos, 2) ? -1 : ret;
}

EXPORT long fork(WORDS);
EXPORT long fork(WORDS)
{
	static const int errnos[] = { EAGAIN, ENOMEM };
	static function *_Atomic real;
	long pid;

	if (fails("fork", errnos, 2))
		return -1;
	pid = find(&real, "fork")(a, b, c, d, e, f);
	if ((int)pid == 0) {
		generation++;
		broken = NULL;
	}
	return pid;
}
