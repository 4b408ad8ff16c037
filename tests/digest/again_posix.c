/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes ranges again by libc: the same, overlapping ones, and what was read
 * back; by one process and by several. usage: again_posix DIRECTORY; the files
 * are DIRECTORY/CASE.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (1 << 20)

static char data[SIZE];
static int fd;

static void must(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static const char *some(int round, size_t size)
{
	for (size_t i = 0; i < size; i++)
		data[i] = (char)(i * 7 + i / 251 + 31 * (size_t)round + 1);
	return data;
}

static void put_at(off_t at, int round, size_t size)
{
	const char *from = some(round, size);

	must(pwrite(fd, from, size, at) == (ssize_t)size, "pwrite");
}

static void rewritten(void)
{
	for (int i = 0; i < 3; i++)
		put_at(0, i, SIZE);
}

/* In other pieces each time. */
static void in_other_pieces(void)
{
	for (int i = 1; i < 4; i++)
		for (int at = 0; at + 10000 * i < SIZE; at += 10000 * i)
			put_at(at, i, (size_t)(10000 * i));
}

static void shifted(void)
{
	for (int i = 0; i < 20; i++)
		put_at(i * 5000, i, (size_t)(200000 + i * 11));
}

static void within(void)
{
	put_at(0, 0, SIZE);
	for (int i = 0; i < 50; i++)
		put_at(997 * i * i % (SIZE - 5000), i, (size_t)(4999 - i));
}

/* Even places, then all that lies between, then all again in another order. */
static void scattered(void)
{
	for (int i = 0; i < 600; i++)
		put_at(i * 2 % 600 * 1000 + i / 300 * 1000, i, 1000);
	for (int i = 0; i < 600; i++)
		put_at(i * 7 % 600 * 1000, i + 1, 1000);
}

static void read_back(void)
{
	static char back[SIZE];

	put_at(0, 0, SIZE);
	must(pread(fd, back, SIZE - 200, 100) == SIZE - 200, "pread");
	for (int i = 0; i < SIZE - 200; i++)
		back[i] = (char)~back[i];
	must(pwrite(fd, back, SIZE - 200, 100) == SIZE - 200, "pwrite");
}

static void by_vectors(void)
{
	for (int i = 0; i < 3; i++) {
		const char *from = some(i, 10000);
		struct iovec parts[] = { { (void *)from, 1000 },
					 { (void *)(from + 5000), 77 },
					 { (void *)(from + 9), 3333 } };

		must(lseek(fd, i * 100, SEEK_SET) >= 0, "lseek");
		must(writev(fd, parts, 3) == 4410, "writev");
	}
}

static void by_stream(void)
{
	FILE *stream = fdopen(dup(fd), "r+");

	must(stream != NULL, "fdopen");
	for (int i = 0; i < 3; i++) {
		must(!fseek(stream, i * 50, SEEK_SET), "fseek");
		for (int k = 0; k < 200; k++)
			must(fprintf(stream, "line %d of %d\n", k, i) > 0,
			     "fprintf");
		must(fwrite(some(i, 5000), 1, 5000, stream) == 5000, "fwrite");
	}
	fclose(stream);
}

static void cut_and_again(void)
{
	for (int i = 0; i < 3; i++) {
		put_at(0, i, SIZE);
		must(!ftruncate(fd, 300001), "ftruncate");
		put_at(250000, i + 5, 100000);
	}
}

/* --- by several --------------------------------------------------------- */

static void in_child(void (*play)(int), int number)
{
	pid_t pid = fork();

	if (!pid) {
		play(number);
		close(fd);
		exit(0);
	}
	must(pid > 0, "fork");
}

static void wait_all(void)
{
	while (wait(NULL) > 0)
		;
}

static void put_own(int number)
{
	for (int i = 0; i < 3; i++)
		put_at(number * 100000, i + number, 100000);
}

static void put_common(int number)
{
	for (int i = 0; i < 3; i++)
		put_at(number * 1000, i + number, 100000);
}

/* Pieces of any length: where they lie is told coarsely. */
static void put_unevenly(int number)
{
	for (int i = 0; i < 1500; i++)
		put_at(i * 400 + (i * 37 + number) % 97, i % 5 + number,
		       (size_t)(100 + (i * 53 + number * 5) % 190));
}

static void children(void)
{
	for (int i = 0; i < 3; i++)
		in_child(put_own, i);
	wait_all();
}

static void overlapping(void)
{
	for (int i = 0; i < 3; i++)
		in_child(put_common, i);
	wait_all();
}

static void overlapping_unevenly(void)
{
	for (int i = 0; i < 2; i++)
		in_child(put_unevenly, i);
	wait_all();
}

static const struct {
	const char *name;
	void (*play)(void);
} cases[] = {
#define CASE(name) { #name, name }
	CASE(rewritten), CASE(in_other_pieces), CASE(shifted),	 CASE(within),
	CASE(scattered), CASE(read_back),	CASE(by_vectors),
	CASE(by_stream), CASE(cut_and_again),	CASE(children),
	CASE(overlapping), CASE(overlapping_unevenly),
#undef CASE
};

int main(int argc, char **argv)
{
	char path[4096];

	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases);
	     i++) {
		snprintf(path, sizeof(path), "%s/%s", argv[1], cases[i].name);
		fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
		must(fd >= 0, path);
		cases[i].play();
		close(fd);
	}
	return 0;
}
