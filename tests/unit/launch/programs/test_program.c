/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's file tells about recording it. */
#include "launch/programs/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static int make_file(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/weir-test-XXXXXX");
	fd = mkstemp(path);
	fchmod(fd, 0755);
	close(fd);
	return 0;
}

static int drop_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_file(const void *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
}

static void a_shell_can_be_recorded(void **state)
{
	struct weir_program program;

	(void)state;
	assert_int_equal(weir_program_inspect("sh", &program), 0);
	assert_false(program.is_static || program.privilege ||
		     program.is_foreign);
	assert_string_equal(program.first, "");
	assert_non_null(strstr(program.path, "/sh"));
}

static void what_is_missing_is_not_found(void **state)
{
	struct weir_program program;

	(void)state;
	assert_int_equal(weir_program_inspect("no-such-command", &program),
			 -ENOENT);
	assert_int_equal(weir_program_inspect("/no/such/command", &program),
			 -ENOENT);
}

static void a_script_is_its_interpreter(void **state)
{
	static const char script[] = "#! /bin/sh -e\necho hi\n";
	struct weir_program program;

	(void)state;
	write_file(script, sizeof(script) - 1);
	assert_int_equal(weir_program_inspect(path, &program), 0);
	assert_string_equal(program.path, "/bin/sh");
	write_file("echo hi\n", 8);
	assert_int_equal(weir_program_inspect(path, &program), -ENOEXEC);
}

static void other_kinds_are_told_apart(void **state)
{
	struct weir_program program;
	Elf64_Ehdr head = {.e_ident = ELFMAG};

	(void)state;
	head.e_ident[EI_CLASS] = ELFCLASS32;
	write_file(&head, sizeof(head));
	assert_int_equal(weir_program_inspect(path, &program), 0);
	assert_true(program.is_foreign);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__x86_64__)
	head.e_machine = EM_X86_64;
#else
	head.e_machine = EM_AARCH64;
#endif
	write_file(&head, sizeof(head));
	assert_int_equal(weir_program_inspect(path, &program), 0);
	assert_true(program.is_static);
}

/* A damaged program must not take the launcher with it. */
static void noise_is_survived(void **state)
{
	static uint8_t bytes[16384];
	struct weir_program program;
	int fd = open("/bin/sh", O_RDONLY);
	ssize_t length = read(fd, bytes, sizeof(bytes));

	(void)state;
	close(fd);
	for (int i = 0; i < 2000; i++) {
		uint8_t *at = &bytes[rand() % 1200];
		uint8_t old = *at;

		*at = (uint8_t)rand();
		write_file(bytes, (size_t)length);
		weir_program_inspect(path, &program);
		*at = old;
	}
}

#define ON_FILE(test)                                                          \
	cmocka_unit_test_setup_teardown(test, make_file, drop_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shell_can_be_recorded),
		cmocka_unit_test(what_is_missing_is_not_found),
		ON_FILE(a_script_is_its_interpreter),
		ON_FILE(other_kinds_are_told_apart),
		ON_FILE(noise_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
