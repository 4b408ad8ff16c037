/* SPDX-License-Identifier: BSD-3-Clause */
/* One host is asked for the time, by others that know its card. */
#include "launch/clocks/timeserver.h"

#include "base/clock.h"
#include "launch/clocks/timeclient.h"
#include "launch/directory/tracedir.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE UINT64_C(20000000000)
#define SHORT	 UINT64_C(120000000)

static struct weir_tracedir place;
static struct weir_timeserver server;

static int make_place(void **state)
{
	snprintf(place.dir, sizeof(place.dir), "/tmp/weir-test-XXXXXX");
	memset(&server, 0, sizeof(server));
	return mkdtemp(place.dir) ? 0 : -1;
}

static int remove_place(void **state)
{
	return rmdir(place.dir);
}

/* Wherever the test runs, there is this address. */
static struct weir_timecard by_loopback(void)
{
	struct weir_timecard card = server.card;

	card.count = 1;
	inet_pton(AF_INET6, "::ffff:127.0.0.1", &card.addresses[0]);
	return card;
}

static void start(void)
{
	int err = weir_timeserver_open(&server, &place);

	if (err == -ENODEV)
		skip(); /* no network at all */
	assert_int_equal(err, 0);
	assert_int_equal(weir_timeserver_start(&server), 0);
}

static void who_knows_the_card_is_told_the_time(void **state)
{
	struct weir_timepoint point;
	struct weir_timecard card;
	uint64_t before, real;

	start();
	card = by_loopback();
	before = weir_clock_ns(CLOCK_MONOTONIC);
	assert_int_equal(weir_timeclient_ask(&card, PATIENCE, NULL, &point),
			 0);
	/* It is our own clock: the truth lies within the error. */
	real = point.mono + card.ahead;
	assert_true(point.mono >= before);
	assert_true(point.mono <= weir_clock_ns(CLOCK_MONOTONIC));
	assert_true(point.day + point.error >= real);
	assert_true(point.day <= real + point.error);
	weir_timeserver_close(&server);
	assert_int_equal(access(server.path, F_OK), -1);
}

static void others_are_not(void **state)
{
	struct weir_timepoint point;
	struct weir_timecard card;
	atomic_int stop = 1;

	start();
	card = by_loopback();
	card.token[15] ^= 1;
	assert_int_equal(weir_timeclient_ask(&card, SHORT, NULL, &point),
			 -ETIMEDOUT);
	card.token[15] ^= 1;
	assert_int_equal(weir_timeclient_ask(&card, PATIENCE, &stop, &point),
			 -ETIMEDOUT);
	weir_timeserver_close(&server);
}

/* Too short, too long, empty: none is answered, and none does harm. */
static void rubbish_is_passed_over(void **state)
{
	static const size_t sizes[] = { 0, 1, 16, 47, 49, 1200 };
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct weir_timepoint point;
	struct weir_timecard card;
	char bytes[1200] = "";
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	start();
	card = by_loopback();
	to.sin_port = htons(card.port);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	memcpy(bytes, card.token, sizeof(card.token));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		sendto(fd, bytes, sizes[i], 0, (struct sockaddr *)&to,
		       sizeof(to));
	assert_int_equal(weir_timeclient_ask(&card, PATIENCE, NULL, &point),
			 0);
	assert_int_equal(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT), -1);
	close(fd);
	weir_timeserver_close(&server);
}

static void only_one_tells_the_time_of_a_trace(void **state)
{
	struct weir_timeserver second = { 0 };
	struct weir_timecard read;
	struct stat st;

	start();
	assert_int_equal(weir_timeserver_open(&second, &place), -EEXIST);
	weir_timeserver_close(&second);
	assert_int_equal(stat(server.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(weir_timecard_read(server.path, &read), 0);
	assert_true(read.of == server.card.of);
	assert_true(read.ahead == server.card.ahead);
	assert_int_equal(read.port, server.card.port);
	assert_int_equal(read.count, server.card.count);
	assert_string_equal(read.machine, server.card.machine);
	assert_memory_equal(read.token, server.card.token, sizeof(read.token));
	assert_memory_equal(read.addresses, server.card.addresses,
			    read.count * sizeof(*read.addresses));
	assert_int_equal(chmod(server.path, 0644), 0);
	assert_int_equal(weir_timecard_read(server.path, &read), -EPERM);
	weir_timeserver_close(&server);
	assert_int_equal(weir_timecard_read(server.path, &read), -ENOENT);
}

static int read_text(const char *text)
{
	char path[PATH_MAX];
	struct weir_timecard card;
	FILE *file;
	int err;

	snprintf(path, sizeof(path), "%.4000s/card", place.dir);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	chmod(path, 0600);
	err = weir_timecard_read(path, &card);
	unlink(path);
	return err;
}

#define TOKEN "00112233445566778899aabbccddeeff"

static void a_card_that_makes_no_sense_is_refused(void **state)
{
	static const char *const cards[] = {
		"", "\n", "x\n", "5 7 9 m/1 " TOKEN "\n",
		"5 7 9 m/1 " TOKEN " ::1",	  /* not whole */
		"0 7 9 m/1 " TOKEN " ::1\n",	  /* no port */
		"5 0 9 m/1 " TOKEN " ::1\n",	  /* nobody's time */
		"5 7 9 m/1 0011 ::1\n",
		"5 7 9 m/1 z" TOKEN " ::1\n",
		"5 7 9 m/1 " TOKEN " localhost\n",
		"5 7 9 m/1 " TOKEN " ::1 ::1 ::1 ::1 ::1 ::1 ::1 ::1 ::1 ::1 "
		"::1 ::1 ::1 ::1 ::1 ::1 ::1\n",
	};

	assert_int_equal(read_text("5 7 9 m/1 " TOKEN " ::1\n"), 0);
	for (size_t i = 0; i < sizeof(cards) / sizeof(*cards); i++)
		assert_int_equal(read_text(cards[i]), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_knows_the_card_is_told_the_time),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(rubbish_is_passed_over),
		cmocka_unit_test(only_one_tells_the_time_of_a_trace),
		cmocka_unit_test(a_card_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, make_place, remove_place);
}
