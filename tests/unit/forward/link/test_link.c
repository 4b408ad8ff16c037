/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process finds its service, and what becomes of one that is none. */
#include "doorkeeper.h"

#include "forward/link/attach.h"
#include "forward/link/link.h"
#include "forward/link/link_complain.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void begin_link(const char *prefixes)
{
	char where[512], boot[64] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	if (!file || !fgets(boot, sizeof(boot), file))
		_exit(77);
	fclose(file);
	boot[strcspn(boot, "\n")] = 0;
	snprintf(where, sizeof(where), "%s|%s|%s", folder, boot, prefixes);
	weir_link_begin(where);
}

/* A client's life in a process of its own; each line that fails is told. */
static int run_client(int (*client)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(client());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define EXPECT(what)                              \
	do {                                      \
		line = line ? line : !(what) * __LINE__ % 251; \
	} while (0)

static int knows_prefixes(void)
{
	int line = 0;

	EXPECT(!weir_link_wants("/data/a"));
	begin_link("/data/a:/scratch");
	EXPECT(weir_link_is_on);
	EXPECT(weir_link_wants("/data/a"));
	EXPECT(weir_link_wants("/data/a/b/c"));
	EXPECT(!weir_link_wants("/data/ab"));
	EXPECT(!weir_link_wants("/data"));
	EXPECT(!weir_link_wants("/data/"));
	EXPECT(weir_link_wants("/scratch/x"));
	EXPECT(!weir_link_wants("/scratchy"));
	EXPECT(!weir_link_wants("/"));
	return line;
}

static int knows_the_root(void)
{
	int line = 0;

	begin_link("/");
	EXPECT(weir_link_wants("/"));
	EXPECT(weir_link_wants("/anything/at/all"));
	return line;
}

static int knows_other_hosts(void)
{
	int line = 0;

	weir_link_begin("/tmp/x|00000000-0000-0000-0000-000000000000|/data");
	EXPECT(!weir_link_is_on);
	weir_link_begin("/tmp/x");
	EXPECT(!weir_link_is_on);
	weir_link_begin("");
	EXPECT(!weir_link_is_on);
	EXPECT(!weir_link_wants("/data/x"));
	return line;
}

static void the_variable_says_where_and_what(void **state)
{
	strcpy(folder, "/tmp/x");
	assert_int_equal(run_client(knows_prefixes), 0);
	assert_int_equal(run_client(knows_the_root), 0);
	assert_int_equal(run_client(knows_other_hosts), 0);
}

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static bool maps_presence(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char text[512];
	bool found = false;

	while (fgets(text, sizeof(text), maps))
		found |= strstr(text, "/presence") != NULL;
	fclose(maps);
	return found;
}

static int attaches(void)
{
	int line = 0, before = count_descriptors();

	begin_link("/data");
	errno = 99;
	EXPECT(!weir_attach());
	EXPECT(!weir_attach());
	EXPECT(errno == 99);
	EXPECT(atomic_load(&told->calls) == 1);
	EXPECT(weir_link.page->session == 3);
	EXPECT(weir_link.board->magic == WEIR_BOARD_MAGIC);
	EXPECT(weir_link.chunks - (unsigned char *)weir_link.page ==
	       (ptrdiff_t)weir_session_chunks_at(CHUNKS));
	EXPECT(count_descriptors() == before);
	EXPECT(maps_presence());
	return line;
}

static int child_shares(void)
{
	int line = 0, status;
	pid_t pid;

	begin_link("/data");
	EXPECT(!weir_attach());
	pid = fork();
	if (!pid)
		_exit(weir_attach() || atomic_load(&told->calls) != 1);
	waitpid(pid, &status, 0);
	EXPECT(!status);
	return line;
}

static void a_session_is_mapped_once(void **state)
{
	begin_service(NONE);
	assert_int_equal(run_client(attaches), 0);
	atomic_store(&told->calls, 0);
	assert_int_equal(run_client(child_shares), 0);
	end_service();
}

static int opens_as(int flags)
{
	int line = 0, before, fd;
	uint32_t open_at = 0;
	char path[128];

	begin_link("/data");
	EXPECT(!weir_attach());
	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, flags);
	before = count_descriptors();
	EXPECT(!weir_attach_file(fd, flags, path, &open_at));
	EXPECT(open_at == OPEN);
	EXPECT(count_descriptors() == before);
	EXPECT(!strcmp(told->path, path));
	EXPECT(atomic_load(&told->is_own));
	return line;
}

static int opens_to_append(void)
{
	return opens_as(O_WRONLY | O_APPEND);
}

static int opens_to_read(void)
{
	return opens_as(O_RDONLY);
}

static void the_daemon_gets_a_descriptor_of_its_own(void **state)
{
	begin_service(NONE);
	assert_int_equal(run_client(opens_to_append), 0);
	assert_int_equal(atomic_load(&told->mode) & (O_ACCMODE | O_APPEND),
			 O_RDWR);
	assert_int_equal(run_client(opens_to_read), 0);
	assert_int_equal(atomic_load(&told->mode) & O_ACCMODE, O_RDONLY);
	end_service();
}

static int is_refused(void)
{
	int line = 0, before = count_descriptors(), ret, calls;

	begin_link("/data");
	ret = weir_attach();
	EXPECT(ret < 0);
	EXPECT(!weir_link.page);
	EXPECT(count_descriptors() == before);
	calls = atomic_load(&told->calls);
	EXPECT(weir_attach() == ret);
	EXPECT(ret == -EPERM || atomic_load(&told->calls) == calls);
	return line;
}

static void what_makes_no_sense_is_not_used(void **state)
{
	static const enum fault faults[] = {
		NOT_SEALED,    TOO_SHORT, WRONG_MAGIC, WRONG_INTERFACE,
		WRONG_SESSION, NO_BOARD,  NO_PRESENCE, REFUSES,
		STRANGER,
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		begin_service(faults[i]);
		assert_int_equal(run_client(is_refused), 0);
		end_service();
	}
}

static int survives(void)
{
	int line = 0;

	begin_link("/data");
	EXPECT(!weir_attach());
	EXPECT(atomic_load(&told->calls) == 2);
	return line;
}

static void a_daemon_that_dies_is_asked_again(void **state)
{
	begin_service(DIES_FIRST);
	assert_int_equal(run_client(survives), 0);
	end_service();
	begin_service(GIVES_UP_FIRST);
	assert_int_equal(run_client(survives), 0);
	end_service();
}

static void attach_in_handler(int number)
{
	atomic_store(&told->in_handler, weir_attach());
}

static int is_interrupted(void)
{
	struct sigaction action = { .sa_handler = attach_in_handler };
	struct itimerval soon = { .it_value.tv_usec = 100000 };
	int line = 0;

	sigaction(SIGALRM, &action, NULL);
	begin_link("/data");
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT(!weir_attach());
	EXPECT(atomic_load(&told->in_handler) == -EBUSY);
	EXPECT(!weir_attach());
	return line;
}

static void a_handler_does_not_wait_for_its_thread(void **state)
{
	begin_service(DAWDLES);
	assert_int_equal(run_client(is_interrupted), 0);
	end_service();
}

static int complains(void)
{
	int line = 0;

	begin_link("/data");
	EXPECT(!weir_attach());
	EXPECT(!weir_link_complain(5));
	EXPECT(!atomic_load(&weir_link.page->dead));
	EXPECT(atomic_load(&told->complaints) == 1);
	return line;
}

/* The parent stops it when it has seen the first call. */
static int is_left_alone(void)
{
	int line = 0;

	begin_link("/data");
	EXPECT(!weir_attach());
	atomic_store(&told->opened, 100);
	while (atomic_load(&told->opened) != 101)
		usleep(1000);
	EXPECT(weir_link_complain(5) < 0);
	EXPECT(atomic_load(&weir_link.page->dead));
	return line;
}

static void without_sockets_it_is_dead(void **state)
{
	int status;
	pid_t pid;

	begin_service(NONE);
	assert_int_equal(run_client(complains), 0);
	atomic_store(&told->opened, 0);
	pid = fork();
	if (!pid) {
		forget_service();
		_exit(is_left_alone());
	}
	while (atomic_load(&told->opened) != 100)
		usleep(1000);
	stop_service();
	atomic_store(&told->opened, 101);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(run_client(is_refused), 0);
	end_service();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_variable_says_where_and_what),
		cmocka_unit_test(a_session_is_mapped_once),
		cmocka_unit_test(the_daemon_gets_a_descriptor_of_its_own),
		cmocka_unit_test(what_makes_no_sense_is_not_used),
		cmocka_unit_test(a_daemon_that_dies_is_asked_again),
		cmocka_unit_test(a_handler_does_not_wait_for_its_thread),
		cmocka_unit_test(without_sockets_it_is_dead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
