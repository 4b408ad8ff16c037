/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text into memory. */
#include "report/output/memtext.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int weir_memtext_init(struct weir_memtext *text)
{
	int err;

	text->fd = memfd_create("weir-text", MFD_CLOEXEC);
	if (text->fd < 0)
		return -errno;
	err = weir_text_init(&text->out, text->fd);
	if (err)
		close(text->fd);
	return err;
}

void weir_memtext_fini(struct weir_memtext *text)
{
	weir_text_fini(&text->out);
	close(text->fd);
}

int weir_memtext_take(struct weir_memtext *text, struct weir_bytes *to)
{
	int err = weir_text_flush(&text->out);
	off_t size = lseek(text->fd, 0, SEEK_END), at = 0;

	err = err ? err : weir_bytes_reserve(to, (size_t)size);
	while (!err && at < size) {
		ssize_t got = pread(text->fd, to->data + to->used,
				    (size_t)(size - at), at);

		if (got <= 0)
			return got ? -errno : -EIO;
		to->used += (size_t)got;
		at += got;
	}
	if (!err && (ftruncate(text->fd, 0) || lseek(text->fd, 0, SEEK_SET)))
		err = -errno;
	return err;
}
