/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes calls of many kinds on one file, to be recorded on another machine. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int check(long done)
{
	if (done < 0)
		perror("load");
	return done < 0;
}

int main(int argc, char **argv)
{
	static char bytes[4096];
	struct iovec both[] = { { bytes, 100 }, { bytes + 100, 50 } };
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644)
			   : -1;
	struct stat about;
	int bad = check(fd);
	FILE *stream;

	for (int i = 0; i < 500; i++) {
		bad |= check(pwrite(fd, bytes, (size_t)(100 + i),
				    (off_t)i << 32));
		if (i % 3 == 0)
			bad |= check(pread(fd, bytes, 50, i * 10));
	}
	bad |= check(writev(fd, both, 2));
	bad |= check(lseek(fd, 5, SEEK_SET)) || check(read(fd, bytes, 77));
	bad |= check(fstat(fd, &about)) || check(ftruncate(fd, 10));
	bad |= check(close(fd)) || !access("/nonexistent", R_OK);
	stream = fopen(argv[1], "a");
	bad |= !stream || check(fprintf(stream, "%d\n", 3)) || fclose(stream);
	return bad || check(unlink(argv[1]));
}
