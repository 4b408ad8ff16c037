/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as the data of its page. */
#include "report/as_page.h"

#include "base/text.h"
#include "report/as_json.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define VERSION 1

/* The head, as text in a file of its own: it is long. */
static int write_head(const struct weir_as_page *page, int fd)
{
	struct weir_text out;
	int flushed, err = weir_text_init(&out, fd);

	if (err)
		return err;
	weir_text_string(&out, "{\"columns\":{},\"report\":");
	err = weir_as_json_write(&out, page->facts, page->findings,
				 page->reader);
	weir_text_char(&out, '}');
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

static int add_file(struct weir_bytes *bytes, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	uint32_t numbers[] = { VERSION, (uint32_t)size };
	int err;

	if (size < 0 || size > UINT32_MAX)
		return -EFBIG;
	err = weir_bytes_add(bytes, "WEIRPAGE", 8);
	err = err ? err : weir_bytes_add(bytes, numbers, sizeof(numbers));
	err = err ? err : weir_bytes_reserve(bytes, (size_t)size);
	if (err)
		return err;
	if (pread(fd, bytes->data + bytes->used, (size_t)size, 0) != size)
		return -EIO;
	bytes->used += (size_t)size;
	return 0;
}

int weir_as_page_make(const struct weir_as_page *page,
		      struct weir_bytes *ret_bytes)
{
	struct weir_bytes bytes = { 0 };
	int fd = memfd_create("weir-page", MFD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = write_head(page, fd);
	err = err ? err : add_file(&bytes, fd);
	close(fd);
	if (err)
		weir_bytes_fini(&bytes);
	else
		*ret_bytes = bytes;
	return err;
}
