/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves the reads and writes that libc makes for a stream of ours. */
#include "forward/divert/cookiestream.h"
#include "forward/divert/divert.h"
#include "spec/real.h"

#include <stddef.h>
#include <sys/types.h>

static struct weir_stream *stream_of(void *cookie)
{
	return atomic_load(&((struct weir_cookiestream *)cookie)->stream);
}

static long cookie_read(void *cookie, char *buf, size_t size)
{
	return weir_divert_read(stream_of(cookie)->fd, buf, size);
}

/* All of it, as an ordinary stream does, which also counts on. */
static long cookie_write(void *cookie, const char *buf, size_t size)
{
	struct weir_stream *stream = stream_of(cookie);
	size_t done = 0;
	long put = 1;

	while (done < size && put > 0) {
		put = weir_divert_write(stream->fd, buf + done, size - done);
		done += put > 0 ? (size_t)put : 0;
	}
	if (stream->offset >= 0)
		stream->offset += (long)done;
	return (long)done;
}

static int cookie_seek(void *cookie, off64_t *place, int whence)
{
	long at = weir_divert_lseek(stream_of(cookie)->fd, *place, whence);

	if (at < 0)
		return -1;
	*place = at;
	return 0;
}

/* Where system calls are forbidden, only the one that the program means. */
static int cookie_close(void *cookie)
{
	int fd = stream_of(cookie)->fd;

	return weir_link_is_on ? weir_divert_close(fd) : weir_real.close(fd);
}

const weirgatecookie weir_divert_cookie = {
	{(void *)cookie_read, (void *)cookie_write, (void *)cookie_seek,
	 (void *)cookie_close}};
