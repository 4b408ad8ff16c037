/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's file tells, read from ourselves and from damaged ones. */
#include "launch/programs/elf.h"

#include "launch/programs/closure.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void open_ourselves(struct weir_elf *elf)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_int_equal(weir_elf_read(fd, elf), 0);
}

static void we_are_a_program_of_here(void **state)
{
	struct weir_elf elf;
	char text[4096], machine[32];
	int found = 0;

	(void)state;
	open_ourselves(&elf);
	assert_true(weir_elf_is_ours(&elf));
	assert_int_equal(weir_elf_loader(&elf, text, sizeof(text)), 0);
	assert_non_null(strstr(text, "/ld-linux"));
	for (unsigned n = 0;
	     !weir_elf_text(&elf, DT_NEEDED, n, text, sizeof(text)); n++)
		found += !strcmp(text, "libc.so.6");
	assert_int_equal(found, 1);
	assert_int_equal(weir_elf_text(&elf, DT_SONAME, 0, text, 64), -ENOENT);
	assert_true(weir_elf_has_section(&elf, ".text"));
	assert_false(weir_elf_has_section(&elf, ".tex"));
	assert_false(weir_elf_has_section(&elf, ".note.go.buildid"));
	assert_in_range(weir_elf_newest_glibc(&elf, DT_VERNEED), 2, 99);
	assert_int_equal(weir_elf_newest_glibc(&elf, DT_VERDEF), -ENOENT);
	weir_elf_architecture(&elf, machine);
	assert_null(strchr(machine, ' '));
	close(elf.fd);
}

/* A name that does not fit is not cut. */
static void short_room_is_told(void **state)
{
	struct weir_elf elf;
	char text[4];

	(void)state;
	open_ourselves(&elf);
	assert_int_equal(weir_elf_loader(&elf, text, sizeof(text)), -EBADMSG);
	assert_int_equal(weir_elf_text(&elf, DT_NEEDED, 0, text, sizeof(text)),
			 -EBADMSG);
	close(elf.fd);
}

static void what_is_none_is_refused(void **state)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct weir_elf elf;

	(void)state;
	assert_int_equal(weir_elf_read(fd, &elf), -ENOEXEC);
	assert_int_equal(write(fd, ELFMAG, SELFMAG), SELFMAG);
	assert_int_equal(weir_elf_read(fd, &elf), -ENOEXEC);
	close(fd);
}

/* The loader has done the same for us. */
static void our_libraries_are_found(void **state)
{
	static struct weir_closure closure;
	const struct weir_closure_item *libc;
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(weir_closure_make("/proc/self/exe", &closure), 0);
	assert_true(closure.is_sure);
	libc = weir_closure_find(&closure, "libc.so.6");
	assert_non_null(libc);
	assert_non_null(libc->path);
	assert_int_equal(access(libc->path, R_OK), 0);
	for (size_t i = 0; i < closure.count; i++)
		assert_non_null(closure.items[i].path);
	weir_closure_fini(&closure);
	assert_true(weir_closure_locate("libc.so.6", path));
	assert_false(weir_closure_locate("libnosuch.so.6", path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(we_are_a_program_of_here),
		cmocka_unit_test(short_room_is_told),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(our_libraries_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
