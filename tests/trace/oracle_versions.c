/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of libc that exist twice: what an old program was linked with
 * behaves as it did then, and both are recorded.
 */
#include "oracle.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OLD(name) __asm__(".symver old_" #name ", " #name "@GLIBC_2.2.5")
#else
#define OLD(name) __asm__(".set old_" #name ", " #name)
#endif

OLD(realpath);
OLD(nftw);
OLD(nftw64);
OLD(glob);
OLD(glob64);
OLD(posix_spawn);
OLD(posix_spawnp);

typedef int visit(const char *, const struct stat *, int, struct FTW *);
typedef int spawn_call(pid_t *pid, const char *file,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const envp[]);

char *old_realpath(const char *path, char *to);
int old_nftw(const char *path, visit *function, int room, int flags);
int old_nftw64(const char *path, visit *function, int room, int flags);
int old_glob(const char *pattern, int flags, void *error, glob_t *names);
int old_glob64(const char *pattern, int flags, void *error, glob_t *names);
spawn_call old_posix_spawn, old_posix_spawnp;

static void must(bool good, const char *what)
{
	if (!good)
		tell_failure(what);
}

/* The old one never allocated. */
static void try_realpath(void)
{
	char *made = realpath(".", NULL), *old = old_realpath(".", NULL);

	tell("realpath", (long)made, "'args':{'resolved':'%s'}", oracle_dir);
	tell("realpath", old ? (long)old : -1, "'args':{'resolved':''}");
	must(made && !old, "realpath");
	free(made);
}

static int visit_one(const char *path, const struct stat *st, int type,
		     struct FTW *where)
{
	return 5;
}

/* The old ones passed over flags that they did not know. */
static void try_nftw(void)
{
	const int unknown = 0x4000;
	int ret;

	ret = nftw(".", visit_one, 3, unknown);
	tell("nftw", ret, "'args':{'flags':%d}", unknown);
	must(ret == -1, "nftw");
	ret = old_nftw(".", visit_one, 3, unknown);
	tell("nftw", ret, "'args':{'flags':%d}", unknown);
	must(ret == 5, "old nftw");
	ret = old_nftw64(".", visit_one, 3, unknown);
	tell("nftw64", ret, "'args':{'flags':%d}", unknown);
	must(ret == 5, "old nftw64");
}

static int stats, lstats;

static int count_stat(const char *path, struct stat *st)
{
	stats++;
	return 0;
}

static int count_lstat(const char *path, struct stat *st)
{
	lstats++;
	return 0;
}

/* The old ones never asked a program's own lstat. */
static void try_glob(int (*call)(const char *, int, void *, glob_t *),
		     const char *symbol, bool asks)
{
	glob_t names = {
		.gl_stat = (void *)count_stat,
		.gl_lstat = (void *)count_lstat,
	};
	int ret;

	stats = lstats = 0;
	ret = call("name", GLOB_ALTDIRFUNC, NULL, &names);
	tell(symbol, ret, "'args':{'matches':1,'pattern':'name'}");
	must(!ret && stats == !asks && lstats == asks, symbol);
	globfree(&names);
}

/* The old ones gave a file that is no program to the shell. */
static void try_spawn(spawn_call *call, const char *symbol, int want)
{
	char *argv[] = { "script", NULL }, *envp[] = { NULL };
	int status;
	pid_t pid;
	int err = call(&pid, "./script", NULL, NULL, argv, envp);

	tell_errnum(symbol, err, "'args':{'file':'./script'}");
	must(err == want, symbol);
	if (!err)
		must(waitpid(pid, &status, 0) == pid && !status, "the shell");
}

static void play_versions(long count)
{
	oracle_make_file("script", 0);
	raw_call(SYS_chmod, "script", 0755);
	try_realpath();
	try_nftw();
	try_glob((void *)glob, "glob", true);
	try_glob((void *)glob64, "glob64", true);
	try_glob(old_glob, "glob", false);
	try_glob(old_glob64, "glob64", false);
	try_spawn(posix_spawn, "posix_spawn", 8 /* ENOEXEC */);
	try_spawn(posix_spawnp, "posix_spawnp", 8);
	try_spawn(old_posix_spawn, "posix_spawn", 0);
	try_spawn(old_posix_spawnp, "posix_spawnp", 0);
}

const struct scenario oracle_versions[] = {
	{ "versions", play_versions }, { NULL, NULL },
};
