/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does to a file what makes it hard to say what should be in it.
 *
 * usage: fates FATE FILE
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 5000

static char bytes[SIZE];

static const void *fill(int letter)
{
	for (int i = 0; i < SIZE; i++)
		bytes[i] = (char)(letter + i % 23);
	return bytes;
}

static void must(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static void put(const char *path, int flags, int letter, off_t at)
{
	int fd = open(path, O_RDWR | flags, 0644);

	must(fd >= 0, path);
	must(pwrite(fd, fill(letter), SIZE, at) == SIZE, "pwrite");
	close(fd);
}

static const char *beside(const char *path)
{
	static char name[4096];

	snprintf(name, sizeof(name), "%s.new", path);
	return name;
}

/* In a process of its own. */
static void put_apart(const char *path, int letter, off_t at)
{
	pid_t pid = fork();

	if (!pid) {
		put(path, O_CREAT, letter, at);
		exit(0);
	}
	must(waitpid(pid, NULL, 0) == pid, "waitpid");
}

static void existing(const char *path)
{
	put(path, 0, 'b', 3000);
}

static void overwritten(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 0);
	put(path, 0, 'b', 2500);
	put(path, 0, 'c', 1001);
}

static void emptied(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 9000);
	put_apart(path, 'b', 0);
	put(path, O_TRUNC, 'c', 100);
}

static void replaced(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 0);
	put(beside(path), O_CREAT | O_TRUNC, 'b', 0);
	must(!rename(beside(path), path), "rename");
}

/* The directory that it is in gets another name, and so does its own. */
static void carried(const char *path)
{
	char inner[4200], outer[4200];

	must(!mkdir(path, 0755), "mkdir");
	snprintf(inner, sizeof(inner), "%s/inner", path);
	must(!mkdir(inner, 0755), "mkdir");
	snprintf(outer, sizeof(outer), "%s/inner/file", path);
	put(outer, O_CREAT | O_TRUNC, 'a', 0);
	must(!rename(path, beside(path)), "rename");
	snprintf(outer, sizeof(outer), "%s/inner/file", beside(path));
	put(outer, 0, 'b', 100);
}

/* It never had a name. */
static void nameless(const char *path)
{
	FILE *stream = tmpfile();

	must(stream && fwrite(fill('a'), SIZE, 1, stream) == 1, "fwrite");
	must(!fclose(stream), "fclose");
	put(path, O_CREAT, 'b', 0);
}

static void linked(const char *path)
{
	put(beside(path), O_CREAT | O_TRUNC, 'a', 0);
	must(!link(beside(path), path), "link");
	must(!unlink(beside(path)), "unlink");
}

static void swapped(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 0);
	put(beside(path), O_CREAT | O_TRUNC, 'b', 100);
	must(!renameat2(AT_FDCWD, path, AT_FDCWD, beside(path),
			RENAME_EXCHANGE), "renameat2");
}

static void removed(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 0);
	must(!unlink(path), "unlink");
}

static void same(const char *path)
{
	put_apart(path, 'a', 0);
	put_apart(path, 'a', 0);
	put_apart(path, 'a', 23 * 100);
}

static void other(const char *path)
{
	put_apart(path, 'a', 0);
	put_apart(path, 'b', 0);
}

static void killed(const char *path)
{
	put(path, O_CREAT | O_TRUNC, 'a', 0);
	must(open(path, O_WRONLY) == 3 && write(3, fill('q'), 9) == 9, "write");
	kill(getpid(), SIGKILL);
}

static void mapped(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	char *there;

	must(fd >= 0 && !ftruncate(fd, SIZE), "ftruncate");
	there = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(there != MAP_FAILED, "mmap");
	memcpy(there, fill('a'), SIZE);
	munmap(there, SIZE);
	close(fd);
}

static const struct {
	const char *name;
	void (*play)(const char *path);
} fates[] = {
	{ "existing", existing }, { "overwritten", overwritten },
	{ "emptied", emptied },	  { "replaced", replaced },
	{ "carried", carried },	  { "nameless", nameless },
	{ "linked", linked },	  { "swapped", swapped },
	{ "removed", removed },	  { "same", same },
	{ "other", other },	  { "killed", killed },
	{ "mapped", mapped },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(fates) / sizeof(*fates); i++)
		if (!strcmp(argv[1], fates[i].name)) {
			fates[i].play(argv[2]);
			return 0;
		}
	fprintf(stderr, "usage: fates FATE FILE\n");
	return 2;
}
