/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a file by each call that can, and in each way that matters to its
 * proof. usage: writes DIRECTORY CASE; the file is DIRECTORY/CASE.
 */
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define SIZE 200000

static char data[SIZE];
static char path[4096];

static void must(int holds, const char *what)
{
	if (!holds) {
		perror(what);
		exit(2);
	}
}

static int open_for(int flags)
{
	int fd = open(path, flags, 0644);

	must(fd >= 0, path);
	return fd;
}

static int create(void)
{
	return open_for(O_CREAT | O_TRUNC | O_WRONLY);
}

static FILE *stream(const char *mode)
{
	FILE *f = fopen(path, mode);

	must(f != NULL, path);
	return f;
}

static void put(int fd, long at, long from, long bytes)
{
	must(pwrite(fd, data + from, (size_t)bytes, at) == bytes, "pwrite");
}

static void by_write(void)
{
	int fd = create();

	for (int i = 1; i < 300; i++)
		must(write(fd, data + i, (size_t)i * 7) == i * 7, "write");
	must(lseek(fd, 12345, SEEK_CUR) > 0, "lseek");
	must(write(fd, data, 77777) == 77777, "write");
	close(fd);
}

static void by_pwrite(void)
{
	int fd = create();

	for (int i = 50; i >= 0; i--)
		put(fd, i * 1001, i, 1001);
	close(fd);
}

static void by_vectors(void)
{
	struct iovec parts[] = { { data, 10 },	  { data + 3, 0 },
				 { data + 7, 33 }, { data, 40001 } };
	int fd = create();

	must(writev(fd, parts, 4) == 40044, "writev");
	must(pwritev(fd, parts, 3, 50000) == 43, "pwritev");
	must(pwritev2(fd, parts + 2, 1, -1, 0) == 33, "pwritev2");
	close(fd);
}

static void by_syscall(void)
{
	int fd = create();

	must(syscall(SYS_write, fd, data, 5000) == 5000, "write");
	must(syscall(SYS_pwrite64, fd, data + 1, 999, 8001) == 999, "pwrite");
	close(fd);
}

static void by_dprintf(void)
{
	int fd = create();

	for (int i = 0; i < 100; i++)
		must(dprintf(fd, "%d of %s\n", i, "hundred") > 0, "dprintf");
	close(fd);
}

/* To the end, wherever the call says. */
static void appended(void)
{
	int fd = open_for(O_CREAT | O_TRUNC | O_RDWR | O_APPEND);
	int other = open_for(O_WRONLY | O_APPEND);

	for (int i = 1; i < 50; i++) {
		must(write(fd, data, (size_t)i) == i, "write");
		must(write(other, data + 9, 11) == 11, "write");
		put(fd, 3, i, 13);
	}
	close(fd);
	close(other);
}

static void overwritten(void)
{
	int fd = create();

	put(fd, 0, 0, 100000);
	put(fd, 5000, 17, 3001);
	put(fd, 99000, 100, 5000);
	put(fd, 120000, 100, 5000);
	put(fd, 1, 5, 130000);
	close(fd);
	fd = open_for(O_RDWR);
	put(fd, 77, 1, 7777);
	close(fd);
}

static void cut(void)
{
	int fd = create();

	put(fd, 0, 0, 100000);
	must(!ftruncate(fd, 30001), "ftruncate");
	must(!ftruncate(fd, 60000), "ftruncate");
	put(fd, 50000, 3, 20000);
	must(!ftruncate(fd, 0), "ftruncate");
	put(fd, 100, 3, 20000);
	close(fd);
}

static void cut_by_name(void)
{
	int fd = create();

	put(fd, 0, 0, 100000);
	must(!truncate(path, 30001), "truncate");
	put(fd, 29000, 3, 5000);
	close(fd);
}

static void emptied(void)
{
	int fd = create();

	put(fd, 0, 0, 100000);
	close(fd);
	fd = create();
	put(fd, 10, 1, 1000);
	close(fd);
}

static void holes(void)
{
	int fd = create();

	for (long i = 0; i < 300; i++)
		put(fd, i * 8191, i, 100 + i % 3);
	close(fd);
}

static void duplicated(void)
{
	int fd = create(), copy = dup(fd);

	must(write(fd, data, 1000) == 1000, "write");
	must(write(copy, data + 1, 1000) == 1000, "write");
	must(dup2(copy, 77) == 77, "dup2");
	close(fd);
	must(write(77, data + 2, 1000) == 1000, "write");
	put(copy, 500, 0, 10);
	close(copy);
	close(77);
}

/* Less than was asked for: the limit is not a multiple of anything. */
static void shortened(void)
{
	struct rlimit limit = { 50003, RLIM_INFINITY };
	int fd = create();

	signal(SIGXFSZ, SIG_IGN);
	put(fd, 40000, 0, 10000);
	must(!setrlimit(RLIMIT_FSIZE, &limit), "setrlimit");
	must(pwrite(fd, data + 1, 60000, 45000) == 5003, "short");
	must(pwrite(fd, data + 1, 60000, 50003) < 0, "beyond");
	limit.rlim_cur = RLIM_INFINITY;
	must(!setrlimit(RLIMIT_FSIZE, &limit), "setrlimit");
	close(fd);
}

static void in_a_child(void)
{
	int fd = create(), status;
	pid_t pid;

	must(write(fd, data, 1000) == 1000, "write");
	pid = fork();
	if (!pid) {
		must(write(fd, data + 5, 2000) == 2000, "write");
		_exit(0);
	}
	must(waitpid(pid, &status, 0) == pid && !status, "child");
	must(write(fd, data + 9, 3000) == 3000, "write");
	close(fd);
}

static void *in_a_thread(void *number)
{
	long n = (long)number;
	int fd = open_for(O_WRONLY);

	for (int i = 0; i < 200; i++)
		put(fd, i * 4000 + n * 1000, n + i, 1000);
	close(fd);
	return NULL;
}

static void by_threads(void)
{
	pthread_t threads[4];
	int fd = create();

	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, in_a_thread, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	close(fd);
}

static void left_open(void)
{
	put(create(), 3, 0, 10000);
}

static void left_at_once(void)
{
	put(create(), 3, 0, 10000);
	_exit(0);
}

static void killed(void)
{
	put(create(), 3, 0, 10000);
	kill(getpid(), SIGKILL);
}

/* --- streams ------------------------------------------------------------ */

static void by_fwrite(void)
{
	FILE *f = stream("w");

	for (size_t i = 1; i < 200; i++)
		must(fwrite(data + i, i, 9, f) == 9, "fwrite");
	must(fwrite(data, 1, 100000, f) == 100000, "fwrite");
	fclose(f);
}

static void by_letters(void)
{
	FILE *f = stream("w");

	for (int i = 0; i < 20000; i++) {
		putc_unlocked(i, f);
		if (i % 1000 == 0)
			fputs("a thousand", f);
		if (i % 77 == 0)
			fputc('x', f);
		if (i % 99 == 0)
			putw(i, f);
	}
	fclose(f);
}

static void by_printf(void)
{
	FILE *f = stream("w");

	for (int i = 0; i < 3000; i++)
		fprintf(f, "%d %s %.*s %g\n", i, "lines", i % 50,
			"and more of them, and more of them, and more of them",
			i / 7.0);
	fprintf(f, "%*d|%30000s|\n", 20000, 5, "far");
	fclose(f);
}

static void by_puts(void)
{
	must(freopen(path, "w", stdout) != NULL, "freopen");
	for (int i = 0; i < 2000; i++) {
		puts("a line");
		printf("and %d\n", i);
		putchar('.');
	}
}

static void unbuffered(void)
{
	FILE *f = stream("w");

	setvbuf(f, NULL, _IONBF, 0);
	for (int i = 0; i < 50; i++) {
		fprintf(f, "%d and %s", i, "so on");
		fputs("plain", f);
		fputc(10, f);
	}
	fclose(f);
}

static void by_lines(void)
{
	FILE *f = stream("w");

	setvbuf(f, NULL, _IOLBF, 0);
	for (int i = 0; i < 500; i++)
		fprintf(f, "%d\nand %s", i, "half a line");
	fclose(f);
}

static void sought(void)
{
	FILE *f = stream("w+");
	char room[50];

	fwrite(data, 1, 50000, f);
	fseek(f, 100, SEEK_SET);
	fprintf(f, "%d over it", 5);
	rewind(f);
	must(fread(room, 1, 50, f) == 50, "fread");
	fseek(f, 0, SEEK_CUR);
	fwrite(data + 3, 1, 9000, f);
	fseek(f, 60000, SEEK_SET);
	fputs("beyond", f);
	fclose(f);
	f = stream("r+");
	fseek(f, 4000, SEEK_SET);
	fwrite(data + 1, 1, 10, f);
	fclose(f);
}

static void at_the_end(void)
{
	FILE *f = stream("a");

	for (int i = 0; i < 3000; i++)
		fprintf(f, "entry %d\n", i);
	fclose(f);
	f = stream("a+");
	fputs("more", f);
	fclose(f);
}

static void mixed(void)
{
	FILE *f = stream("w");

	fputs("by the stream", f);
	fflush(f);
	must(write(fileno(f), data, 5000) == 5000, "write");
	fprintf(f, "and again %d", 7);
	fflush(NULL);
	put(fileno(f), 3, 4, 5);
	fclose(f);
}

static void left_in_a_stream(void)
{
	FILE *f = stream("w");

	for (int i = 0; i < 10000; i++)
		putc_unlocked(i, f);
}

/* --- handed over -------------------------------------------------------- */

static void by_aio(void)
{
	struct aiocb one = { 0 }, two = { 0 };
	struct aiocb *list[] = { &two };
	const struct aiocb *wait[] = { &one };

	one.aio_fildes = two.aio_fildes = create();
	one.aio_buf = data;
	one.aio_nbytes = 30000;
	two.aio_buf = data + 7;
	two.aio_nbytes = 9999;
	two.aio_offset = 40000;
	two.aio_lio_opcode = LIO_WRITE;
	must(!aio_write(&one), "aio_write");
	while (aio_error(&one))
		aio_suspend(wait, 1, NULL);
	must(aio_return(&one) == 30000, "aio_return");
	must(!lio_listio(LIO_WAIT, list, 1, NULL), "lio_listio");
	close(one.aio_fildes);
}

/* --- what cannot be followed -------------------------------------------- */

static void mapped(void)
{
	int fd = open_for(O_CREAT | O_TRUNC | O_RDWR);
	char *at;

	must(!ftruncate(fd, 10000), "ftruncate");
	at = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(at != MAP_FAILED, "mmap");
	memcpy(at, data, 10000);
	munmap(at, 10000);
	close(fd);
}

static void copied(void)
{
	int fd = create(), from = open("/proc/self/exe", O_RDONLY);

	must(copy_file_range(from, NULL, fd, NULL, 5000, 0) > 0 ||
	     write(fd, data, 1) == 1, "copy_file_range");
	close(fd);
}

static void wide(void)
{
	FILE *f = stream("w");

	fputws(L"wide\n", f);
	fwprintf(f, L"%d\n", 5);
	fclose(f);
}

static void purged(void)
{
	FILE *f = stream("w");

	fputs("never seen", f);
	__fpurge(f);
	fputs("seen", f);
	fclose(f);
}

static void punched(void)
{
	int fd = create();

	put(fd, 0, 0, 100000);
	fallocate(fd, 3, 5000, 20000);
	close(fd);
}

static const struct {
	const char *name;
	void (*play)(void);
} cases[] = {
#define CASE(name) { #name, name }
	CASE(by_write),	  CASE(by_pwrite),  CASE(by_vectors),
	CASE(by_syscall), CASE(by_dprintf), CASE(appended),
	CASE(overwritten), CASE(cut),	    CASE(cut_by_name),
	CASE(emptied),
	CASE(holes),	  CASE(duplicated), CASE(shortened),
	CASE(in_a_child), CASE(by_threads), CASE(left_open),
	CASE(left_at_once), CASE(killed),   CASE(by_fwrite),
	CASE(by_letters), CASE(by_printf),  CASE(by_puts),
	CASE(unbuffered), CASE(by_lines),   CASE(sought),
	CASE(at_the_end), CASE(mixed),	    CASE(left_in_a_stream),
	CASE(by_aio),	  CASE(mapped),	    CASE(copied),
	CASE(wide),	  CASE(purged),	    CASE(punched),
#undef CASE
};

int main(int argc, char **argv)
{
	if (argc == 1) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			puts(cases[i].name);
		return 0;
	}
	for (long i = 0; i < SIZE; i++)
		data[i] = (char)(i * i / 13 + i);
	snprintf(path, sizeof(path), "%s/%s", argv[1], argv[2]);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(cases[i].name, argv[2]))
			cases[i].play();
	return 0;
}
