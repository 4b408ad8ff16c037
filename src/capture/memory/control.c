/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the control file into a recorded process. */
#include "capture/memory/control.h"

#include "base/append.h"
#include "base/sys.h"
#include "gate/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MARK_TRIES 1000

static struct weir_control own;
struct weir_control *weir_control = &own;
const _Atomic uint32_t *weir_control_word = &own.aside;
static _Atomic uint32_t switched;	/* by marks */
static enum weir_control_reason reason; /* of this process */

/* Not on the stack, which may be a small one. One thread at a time begins. */
static char path[WEIR_CONTROL_PATH];

static bool is_mapped(void)
{
	return weir_control != &own;
}

/* What is too short would fault when touched. */
static int check_size(long fd)
{
	struct stat st;
	long err = weir_sys2(SYS_fstat, fd, &st);

	if (err)
		return (int)err;
	return st.st_size == WEIR_CONTROL_BYTES ? 0 : -EBADMSG;
}

static bool is_good(const struct weir_control *page)
{
	return !memcmp(page->magic, WEIR_CONTROL_MAGIC, sizeof(page->magic)) &&
	       page->version == WEIR_CONTROL_VERSION &&
	       page->bytes == WEIR_CONTROL_BYTES &&
	       page->rules_bytes <= WEIR_CONTROL_RULES;
}

static int map_page(long fd, struct weir_control **ret_page)
{
	long at = weir_sys6(SYS_mmap, 0, WEIR_CONTROL_BYTES,
			    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (weir_sys_failed(at))
		return (int)at;
	if (!is_good((struct weir_control *)at)) {
		weir_sys2(SYS_munmap, at, WEIR_CONTROL_BYTES);
		return -EBADMSG;
	}
	*ret_page = (struct weir_control *)at;
	return 0;
}

int weir_control_map(const char *directory)
{
	long fd;
	int err;

	if (is_mapped())
		return 0;
	weir_append_path(path, directory, WEIR_CONTROL_NAME);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path,
		       O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	if (fd < 0)
		return (int)fd;
	err = check_size(fd);
	if (!err)
		err = map_page(fd, &weir_control);
	weir_sys1(SYS_close, fd);
	if (!err)
		weir_control_word = &weir_control->aside;
	return err;
}

void weir_control_switch(bool records)
{
	atomic_store(&switched, (uint32_t)weir_control->manner |
					(records ? 0 : WEIR_CONTROL_PAUSED));
	weir_control_word = &switched;
}

void weir_control_unmap(void)
{
	struct weir_control *page = weir_control;

	if (page == &own)
		return;
	weir_control = &own;
	weir_control_word = &own.aside;
	weir_sys2(SYS_munmap, page, WEIR_CONTROL_BYTES);
}

/* Of a page that is zeros so far. */
static long write_at(long fd, const void *from, size_t bytes, size_t at)
{
	long done = weir_sys4(SYS_pwrite64, fd, from, bytes, at);

	if (done < 0)
		return done;
	return done == (long)bytes ? 0 : -EIO;
}

/* The magic as the last: a file that is cut short is never taken for whole. */
static int write_page(long fd, const struct weir_control_setup *setup)
{
	const uint32_t head[] = { WEIR_CONTROL_VERSION, WEIR_CONTROL_BYTES,
				  setup->flags, setup->rules_bytes };
	const uint64_t keep[] = { setup->manner, setup->ring_bytes };
	long err = weir_sys_limits_files(WEIR_CONTROL_BYTES) ? -EFBIG : 0;

	if (!err)
		err = weir_sys4(SYS_fallocate, fd, 0, 0, WEIR_CONTROL_BYTES);
	if (!err)
		err = write_at(fd, setup->rules, setup->rules_bytes,
			       offsetof(struct weir_control, rules));
	if (!err)
		err = write_at(fd, head, sizeof(head),
			       offsetof(struct weir_control, version));
	if (!err)
		err = write_at(fd, keep, sizeof(keep),
			       offsetof(struct weir_control, manner));
	if (!err)
		err = write_at(fd, &setup->manner, sizeof(setup->manner),
			       offsetof(struct weir_control, aside));
	if (!err)
		err = write_at(fd, WEIR_CONTROL_MAGIC, 8, 0);
	return (int)err;
}

int weir_control_make(const char *directory,
		      const struct weir_control_setup *setup)
{
	static const struct weir_control_setup none = { .rules = "" };
	long fd;
	int err;

	weir_append_path(path, directory, WEIR_CONTROL_NAME);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path,
		       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		       0600);
	if (fd < 0)
		return (int)fd;
	err = write_page(fd, setup ? setup : &none);
	weir_sys1(SYS_close, fd);
	if (err)
		weir_sys3(SYS_unlinkat, AT_FDCWD, path, 0);
	return err;
}

static enum weir_control_reason reason_of(int err)
{
	static const struct {
		int err;
		enum weir_control_reason reason;
	} table[] = {
		{ -EFBIG, WEIR_REASON_FILE_LIMIT },
		{ -EMFILE, WEIR_REASON_NO_DESCRIPTOR },
		{ -ENFILE, WEIR_REASON_NO_DESCRIPTOR },
		{ -ENOMEM, WEIR_REASON_NO_MEMORY },
		{ -EAGAIN, WEIR_REASON_NO_MEMORY },
		{ -ENOSPC, WEIR_REASON_NO_SPACE },
		{ -EDQUOT, WEIR_REASON_NO_SPACE },
		{ -EACCES, WEIR_REASON_NO_PERMISSION },
		{ -EPERM, WEIR_REASON_NO_PERMISSION },
		{ -EROFS, WEIR_REASON_NO_PERMISSION },
		{ -EBADMSG, WEIR_REASON_DAMAGED },
		{ -ENOTSUP, WEIR_REASON_CONFINED },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].err == err)
			return table[i].reason;
	return WEIR_REASON_OTHER;
}

/* A directory needs no descriptor. Without even that, nobody can be told. */
static void leave_mark(const char *directory)
{
	char *end = weir_append_path(path, directory, WEIR_CONTROL_MARK);

	end = weir_append_number(end, (uint64_t)weir_sys0(SYS_getpid));
	end = weir_append_number(weir_append_text(end, "-"), reason);
	end = weir_append_text(end, "-");
	for (uint64_t n = 0; n < MARK_TRIES; n++) {
		weir_append_number(end, n);
		if (weir_sys3(SYS_mkdirat, AT_FDCWD, path, 0700) != -EEXIST)
			return;
	}
}

void weir_control_lose_process(const char *directory, int err)
{
	reason = reason_of(err);
	if (is_mapped())
		atomic_fetch_add(&weir_control->losses[reason].processes, 1);
	else if (!weir_confined)
		leave_mark(directory);
}

void weir_control_lose_call(void)
{
	atomic_fetch_add(&weir_control->losses[reason].calls, 1);
}

/* Without a free place it is not told: the collector is late, or dead. */
void weir_control_tell_end(uint32_t pid, int status)
{
	uint64_t word = (uint64_t)pid << 32 | WEIR_CONTROL_AN_END |
			(uint16_t)status;
	uint64_t from;

	if (!is_mapped())
		return;
	from = atomic_fetch_add(&weir_control->ends_told, 1);
	for (uint64_t i = from; i < from + WEIR_CONTROL_ENDS; i++) {
		uint64_t none = 0;

		if (atomic_compare_exchange_strong(
			    &weir_control->ends[i % WEIR_CONTROL_ENDS], &none,
			    word))
			return;
	}
}
