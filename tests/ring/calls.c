/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes calls whose records are known beforehand: calls WHAT [NUMBER]. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[4096];
static void *volatile nowhere; /* the compiler must not see it */

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static int open_new(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0, name);
	return fd;
}

static void move_bytes(int fd)
{
	struct iovec parts[2] = {{buffer, 5}, {buffer, 6}};

	must(write(fd, buffer, 100) == 100, "write");
	must(writev(fd, parts, 2) == 11, "writev");
	must(pwrite(fd, buffer, 7, 500) == 7, "pwrite");
	must(lseek(fd, 3, SEEK_SET) == 3, "lseek");
	must(read(fd, buffer, 9) == 9, "read");
	must(pread(fd, buffer, 8, 502) == 5, "pread");
	must(read(fd, buffer, sizeof(buffer)) > 0, "read");
	must(read(fd, buffer, sizeof(buffer)) == 0, "read at the end");
	must(lseek(fd, -1, SEEK_SET) < 0, "lseek must fail");
	must(read(-1, buffer, 1) < 0, "read must fail");
	must(read(12345, buffer, 1) < 0, "read must fail");
}

static void change(int fd)
{
	struct stat st;

	must(!ftruncate(fd, 250), "ftruncate");
	must(!fsync(fd) && !fdatasync(fd), "fsync");
	must(!fstat(fd, &st) && !stat("a", &st), "stat");
	must(stat("missing", &st) < 0, "stat must fail");
	must(!rename("a", "b") && !chmod("b", 0640), "rename");
	must(mkdir("b", 0700) < 0, "mkdir must fail");
}

static void use_streams(void)
{
	FILE *f = fopen("stream", "w+");

	must(f != NULL, "fopen");
	must(fwrite(buffer, 1, 300, f) == 300, "fwrite");
	must(fprintf(f, "%d\n", 42) == 3, "fprintf");
	rewind(f);
	must(fread(buffer, 1, 10, f) == 10, "fread");
	must(!fclose(f), "fclose");
	must(!fopen("missing", "r"), "fopen must fail");
}

/* One of each kind, and descriptors that are used again. */
static void mix(int unused)
{
	int fd = open_new("a"), copy, other;
	void *map;

	(void)unused;
	move_bytes(fd);
	change(fd);
	copy = dup(fd);
	must(write(copy, buffer, 1) == 1, "write");
	must(!close(fd), "close");
	other = creat("c", 0600);
	must(other == fd, "the number is used again");
	must(write(other, buffer, 2) == 2, "write");
	must(dup2(copy, other) == other, "dup2");
	must(write(other, buffer, 3) == 3, "write");
	map = mmap(NULL, 100, PROT_READ, MAP_SHARED, copy, 0);
	must(map != MAP_FAILED && !munmap(map, 100), "mmap");
	fd = fcntl(copy, F_DUPFD, 50);
	must(write(fd, buffer, 4) == 4, "write");
	must(!close(fd) && !close(other) && !close(copy), "close");
	must(open("missing", O_RDONLY) < 0, "open must fail");
	use_streams();
	must(!unlink("c"), "unlink");
}

/* NUMBER writes, of 1 to 100 bytes in turn. */
static void many(int number)
{
	int fd = open_new("many");

	for (int i = 0; i < number; i++)
		must(write(fd, buffer, (size_t)(1 + i % 100)) > 0, "write");
}

/* NUMBER files, one after the other by the same descriptor. */
static void opens(int number)
{
	int keep = open_new("kept");
	char name[32];

	for (int i = 0; i < number; i++) {
		int fd;

		snprintf(name, sizeof(name), "file-%d", i);
		fd = open_new(name);
		must(write(fd, buffer, (size_t)(1 + i % 100)) > 0, "write");
		must(!close(fd) && !unlink(name), "close");
	}
	must(write(keep, buffer, 77) == 77, "write");
}

static int number_each;

static void *write_own(void *arg)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "thread-%ld", (long)arg);
	fd = open_new(name);
	for (int i = 0; i < number_each; i++)
		must(write(fd, buffer, (size_t)arg) == (ssize_t)arg, "write");
	return NULL;
}

static void run_four(void *(*work)(void *), int number)
{
	pthread_t all[4];

	number_each = number;
	for (long i = 0; i < 4; i++)
		must(!pthread_create(&all[i], NULL, work, (void *)(i + 1)),
		     "pthread_create");
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
}

/* Four threads, NUMBER writes each, of as many bytes as its number. */
static void threads(int number)
{
	run_four(write_own, number);
}

/* Four children that live at the same time, NUMBER writes each. */
static void forks(int number)
{
	int start[2];

	must(!pipe(start), "pipe");
	for (int i = 1; i <= 4; i++) {
		char name[32], byte;
		int fd;

		if (fork())
			continue;
		close(start[1]);
		must(read(start[0], &byte, 1) == 0, "read");
		snprintf(name, sizeof(name), "child-%d", i);
		fd = open_new(name);
		for (int n = 0; n < number; n++)
			must(write(fd, buffer, (size_t)i) == i, "write");
		exit(0);
	}
	close(start[1]);
	while (wait(NULL) > 0)
		;
}

static void execs(int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	must(write(open_new("before"), buffer, 9) == 9, "write");
	execl("/proc/self/exe", "calls", "many", text, NULL);
	must(0, "exec");
}

/* Says so when all is written, and then reads what never comes. */
static void hang(int number)
{
	int never[2];

	must(!pipe(never), "pipe");
	many(number);
	must(symlink("here", "ready") == 0, "symlink");
	must(read(never[0], buffer, 13) == 0, "read");
}

/* Always the same ones. */
static unsigned next_number(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16 & 0x7fff;
}

/* One of all calls that have a place, or move what others have. */
static void move_somewhere(int fd, int copy, int appended, unsigned *state)
{
	size_t size = 1 + next_number(state) % sizeof(buffer);
	off_t off = next_number(state);
	struct iovec parts[2] = {{buffer, size / 2}, {buffer, size / 3}};

	switch (next_number(state) % 12) {
	case 0: must(pwrite(fd, buffer, size, off) > 0, "pwrite"); break;
	case 1: must(pread(fd, buffer, size, off) >= 0, "pread"); break;
	case 2: must(write(copy, buffer, size) > 0, "write"); break;
	case 3: must(lseek(copy, off, SEEK_SET) == off, "lseek"); break;
	case 4: must(writev(fd, parts, 2) >= 0, "writev"); break;
	case 5: must(pwritev(fd, parts, 2, off) >= 0, "pwritev"); break;
	case 6: must(preadv(fd, parts, 2, off) >= 0, "preadv"); break;
	case 7: must(write(appended, buffer, size) > 0, "append"); break;
	case 8: must(pread(fd, buffer, 1, (off_t)1 << 50) == 0, "far"); break;
	case 9: must(pread(fd, nowhere, 9, off) <= 0, "EFAULT"); break;
	case 10: must(read(fd, buffer, size) >= 0, "read"); break;
	default: must(write(fd, buffer, size) > 0, "write"); break;
	}
}

static void move_in(const char *name, unsigned state)
{
	int fd = open_new(name);
	int appended = open(name, O_WRONLY | O_APPEND);
	int copy = fcntl(fd, F_DUPFD, 100);

	must(appended >= 0 && copy >= 0, name);
	for (int i = 0; i < number_each; i++)
		move_somewhere(fd, copy, appended, &state);
}

/* NUMBER transfers and seeks, by a descriptor, its copy, and an appending one.
 */
static void places(int number)
{
	static char large[33 << 20]; /* too many bytes for a short record */
	int fd = open_new("large");

	number_each = number;
	move_in("places", 1);
	must(write(fd, large, sizeof(large)) == sizeof(large), "write");
	must(pread(fd, large, sizeof(large), 1) == sizeof(large) - 1, "pread");
	must(write(fd, large, 5) == 5, "write");
}

static void *move_own(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "thread-%ld", (long)arg);
	move_in(name, (unsigned)(long)arg);
	return NULL;
}

static int descriptor_of_all;

/* As many bytes as its number, each of which is its number. */
static void *write_shared(void *arg)
{
	char own[8];

	memset(own, (int)(long)arg, sizeof(own));
	for (int i = 0; i < number_each; i++)
		must(write(descriptor_of_all, own, (size_t)arg) ==
		     (ssize_t)arg, "write");
	return NULL;
}

/* The same in four threads with descriptors of their own. */
static void apart(int number)
{
	run_four(move_own, number);
}

/* Four threads write by one descriptor, and then this one alone. */
static void together(int number)
{
	descriptor_of_all = open_new("shared");
	run_four(write_shared, number);
	must(lseek(descriptor_of_all, 0, SEEK_END) > 0, "lseek");
	write_shared((void *)5L);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*play)(int number);
	} plays[] = {
		{"mix", mix},	    {"many", many},   {"opens", opens},
		{"threads", threads}, {"forks", forks}, {"execs", execs},
		{"hang", hang},	    {"places", places}, {"apart", apart},
		{"together", together},
	};

	for (size_t i = 0; i < sizeof(plays) / sizeof(*plays); i++) {
		if (argc < 2 || strcmp(plays[i].name, argv[1]))
			continue;
		plays[i].play(argc > 2 ? atoi(argv[2]) : 0);
		return 0;
	}
	fprintf(stderr, "usage: calls WHAT [NUMBER]\n");
	return 2;
}
