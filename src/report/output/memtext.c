/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text into memory. */
#include "report/output/memtext.h"

#include "base/whole.h"

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
	size_t size = (size_t)lseek(text->fd, 0, SEEK_END);

	err = err ?: weir_bytes_reserve(to, size);
	err = err ?: weir_whole_read_at(text->fd, to->data + to->used, size, 0);
	if (!err)
		to->used += size;
	if (!err && (ftruncate(text->fd, 0) || lseek(text->fd, 0, SEEK_SET)))
		err = -errno;
	return err;
}
