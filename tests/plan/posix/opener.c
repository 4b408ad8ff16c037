/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens files in all ways that libc has, one after the other:
 *
 *	opener WAY FILE NUMBER [WAY FILE NUMBER]...
 *
 * For each it prints what open left in errno and in the descriptor's flags, so
 * that runs can be compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE 1000 /* bytes of one fwrite or fread */
#define UNSET 77   /* no call sets it */

static char bytes[PIECE];

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

static void tell(const char *way, int fd)
{
	int err = errno;
	struct stat st;

	if (fd >= 0)
		fstat(fd, &st);
	printf("%s %s errno=%d", way, fd < 0 ? "fails" : "opens", err);
	if (fd >= 0)
		printf(" fd=%d flags=%x mode=%o", fd,
		       (unsigned)fcntl(fd, F_GETFL), (unsigned)st.st_mode);
	putchar('\n');
	fflush(stdout);
}

static void read_all(int fd)
{
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static void write_all(int fd, int count)
{
	for (int i = 0; i < count; i++)
		if (write(fd, bytes, sizeof(bytes)) != PIECE)
			die("write");
}

static int open_in(const char *file)
{
	char directory[4096];
	const char *slash = strrchr(file, '/');
	int dir, fd;

	memcpy(directory, file, (size_t)(slash - file));
	directory[slash - file] = 0;
	dir = open(directory, O_RDONLY | O_DIRECTORY);
	errno = UNSET;
	fd = openat(dir, slash + 1, O_RDONLY);
	close(dir);
	return fd;
}

static int open_as(const char *way, const char *file)
{
	char name[4096];

	if (!strcmp(way, "read") || !strcmp(way, "absent"))
		return open(file, O_RDONLY);
	if (!strcmp(way, "create"))
		return open(file, O_CREAT | O_TRUNC | O_WRONLY, 0640);
	if (!strcmp(way, "exclusive"))
		return open(file, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0440);
	if (!strcmp(way, "append"))
		return open(file, O_CREAT | O_APPEND | O_WRONLY, 0644);
	if (!strcmp(way, "creat"))
		return creat(file, 0644);
	if (!strcmp(way, "openat"))
		return open_in(file);
	if (!strcmp(way, "syscall"))
		return (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY, 0);
	if (!strcmp(way, "syscall-creates"))
		return (int)syscall(SYS_openat, AT_FDCWD, file,
				    O_CREAT | O_EXCL | O_WRONLY, 0644);
	if (!strcmp(way, "nowhere"))
		return open((const char *)8, O_CREAT | O_WRONLY, 0644);
	snprintf(name, sizeof(name), "%s-XXXXXX", file);
	return mkstemp(name);
}

static void use_descriptor(const char *way, const char *file, int count)
{
	int fd;

	errno = UNSET;
	fd = open_as(way, file);
	tell(way, fd);
	if (fd < 0)
		return;
	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		read_all(fd);
	else
		write_all(fd, count);
	close(fd);
}

static FILE *open_stream(const char *way, const char *file)
{
	if (!strcmp(way, "fwrite") || !strcmp(way, "own-buffer") ||
	    !strcmp(way, "lines"))
		return fopen(file, "w");
	if (!strcmp(way, "fopen-x"))
		return fopen(file, "wxe");
	if (!strcmp(way, "fopen-a"))
		return fopen(file, "a");
	if (!strcmp(way, "fdopen"))
		return fdopen(open(file, O_CREAT | O_TRUNC | O_WRONLY, 0644),
			      "w");
	if (!strcmp(way, "freopen"))
		return freopen(file, "w", fopen("/dev/null", "w"));
	return fopen(file, "r");
}

static void use_stream(const char *way, const char *file, int count)
{
	static char own[2 * PIECE];
	FILE *stream;

	errno = UNSET;
	stream = open_stream(way, file);
	tell(way, stream ? fileno(stream) : -1);
	if (!stream)
		return;
	if (!strcmp(way, "own-buffer"))
		setvbuf(stream, own, _IOFBF, sizeof(own));
	if (!strcmp(way, "lines"))
		setvbuf(stream, NULL, _IOLBF, 0);
	if (!strcmp(way, "fread"))
		while (fread(bytes, 1, PIECE, stream) == PIECE)
			;
	else
		for (int i = 0; i < count; i++)
			fwrite(bytes, 1, PIECE, stream);
	fclose(stream);
}

static int is_of_stream(const char *way)
{
	static const char *const ways[] = {
		"fwrite", "fread", "own-buffer", "lines", "fdopen", "freopen",
		"fopen-x", "fopen-a",
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(way, ways[i]))
			return 1;
	return 0;
}

/* The rest is done by somebody who may not do everything. */
static void step_down(void)
{
	if (!geteuid() && (setegid(65534) || seteuid(65534)))
		die("seteuid");
}

/* The rest is done by a child. */
static void hand_over(void)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		return;
	if (child < 0 || waitpid(child, &status, 0) != child)
		die("fork");
	_exit(WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	memset(bytes, 'x', sizeof(bytes));
	for (int i = 49; i < PIECE; i += 50)
		bytes[i] = '\n';
	for (int i = 1; i + 2 < argc; i += 3) {
		int count = atoi(argv[i + 2]);

		if (!strcmp(argv[i], "fork"))
			hand_over();
		else if (!strcmp(argv[i], "step-down"))
			step_down();
		else if (is_of_stream(argv[i]))
			use_stream(argv[i], argv[i + 1], count);
		else
			use_descriptor(argv[i], argv[i + 1], count);
	}
	return 0;
}
