/* SPDX-License-Identifier: BSD-3-Clause */
/* The account of a process: what folding keeps, and what it writes. */
#include "analyse/sums/account.h"
#include "analyse/sums/profile.h"
#include "base/varint.h"
#include "spec/dictionary.h"
#include "trace/layout/sum_layout.h"
#include "trace/layout/trace_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define WRITE 21 /* its id in the dictionary, for ever */

/* A chunk being made. */
static uint64_t words[1 << 16];
static uint64_t *at;

static void put(uint64_t def, uint64_t size, uint64_t ret, const void *detail,
		size_t len)
{
	*at++ = WEIR_RECORD_DEF | WEIR_RECORD_RET | WEIR_RECORD_NOOFF |
		WEIR_RECORD_DETAIL | UINT64_C(5) << WEIR_RECORD_DUR_SHIFT;
	*at++ = def;
	*at++ = size;
	*at++ = ret;
	*at++ = len;
	memset(at, 0, (len + 7) / 8 * 8);
	memcpy(at, detail, len);
	at += (len + 7) / 8;
}

static void put_handle(uint32_t handle, const char *path)
{
	uint8_t detail[300] = {0};
	size_t n = weir_varint_put(detail, handle);

	detail[n++] = 4; /* fd + 1 */
	detail[n++] = WEIR_ORIGIN_INHERITED;
	n += 5; /* base, mode, dev, ino, flags */
	n += weir_varint_put(detail + n, strlen(path));
	memcpy(detail + n, path, strlen(path));
	put(WEIR_NOTE_HANDLE, 0, 0, detail, n + strlen(path));
}

static void put_sum(uint32_t handle, uint32_t calls, uint64_t bytes)
{
	struct weir_sum sum = {
		.key = WRITE | (uint64_t)handle << 32,
		.calls = calls,
		.bytes = bytes,
		.first = 1000,
		.last = 2000,
		.sizes = {calls},
	};

	weir_sum_turn(&sum);
	put(WEIR_NOTE_SUM | (uint64_t)handle << 32, 0, 0, &sum, sizeof(sum));
}

static void take(struct weir_account *account)
{
	uint64_t lost = 1;

	assert_int_equal(
		weir_account_take(account, words,
				  (size_t)((uint8_t *)at - (uint8_t *)words),
				  100, &lost),
		0);
	assert_int_equal(lost, 0);
	at = words;
}

struct sums {
	uint64_t calls, bytes, names, others;
	uint32_t files, nothing;
};

static void read_back(struct weir_account *account, struct sums *sums,
		      size_t *ret_size)
{
	struct weir_bytes payload = {0};
	struct weir_profile_walk walk;
	struct weir_profile_row row;
	uint32_t rows = 0, seen = 0;
	int more;

	memset(sums, 0, sizeof(*sums));
	assert_int_equal(weir_account_put(account, &payload, &rows), 0);
	walk = (struct weir_profile_walk){payload.data, payload.used};
	while ((more = weir_profile_next(&walk, &row)) > 0) {
		seen++;
		sums->files += row.kind == WEIR_PROFILE_FILE;
		sums->nothing += row.kind == WEIR_PROFILE_NONE;
		sums->others += row.kind == WEIR_PROFILE_OTHERS;
		sums->names += row.names;
		for (uint32_t i = 0; i < row.row.count; i++) {
			sums->calls += row.row.entries[i].cell.calls;
			sums->bytes += row.row.entries[i].cell.bytes;
		}
		weir_row_fini(&row.row);
	}
	assert_int_equal(more, 0);
	assert_int_equal(seen, rows);
	*ret_size = payload.used;
	weir_bytes_fini(&payload);
}

static struct weir_account *make_account(struct weir_dictionary **dictionary)
{
	struct weir_account *account = NULL;

	at = words;
	assert_int_equal(weir_dictionary_parse(weir_dictionary_text,
					       weir_dictionary_size,
					       dictionary),
			 0);
	assert_int_equal(weir_account_new(*dictionary, &account), 0);
	return account;
}

static void keeps_all_sums_of_many_files(void **state)
{
	enum { FILES = 30000 };
	struct weir_dictionary *dictionary;
	struct weir_account *account = make_account(&dictionary);
	uint64_t calls = 0, bytes = 0;
	struct sums sums;
	size_t size;

	for (uint32_t i = 1; i <= FILES; i++) {
		char path[100];

		snprintf(path, sizeof(path), "/a/directory/and/file-%u", i);
		put_handle(i, path);
		put_sum(i, i % 7 + 1, i);
		calls += i % 7 + 1;
		bytes += i;
		if (i % 50 == 0)
			take(account);
	}
	take(account);
	for (int again = 0; again < 2; again++) {
		read_back(account, &sums, &size);
		assert_int_equal(sums.calls, calls);
		assert_int_equal(sums.bytes, bytes);
		assert_int_equal(sums.others, 1);
		assert_int_equal(sums.files + sums.names, FILES);
		assert_true(sums.files > 1000);
		assert_true(size <= WEIR_ACCOUNT_BYTES);
	}
	assert_int_equal(weir_account_calls(account), calls);
	weir_account_free(account);
	weir_dictionary_free(dictionary);
}

static void waits_for_names(void **state)
{
	struct weir_dictionary *dictionary;
	struct weir_account *account = make_account(&dictionary);
	struct sums sums;
	size_t size;

	put_sum(7, 3, 30);
	put_sum(8, 1, 1);
	take(account);
	put_handle(7, "/late");
	take(account);
	read_back(account, &sums, &size);
	assert_int_equal(sums.files, 1);
	assert_int_equal(sums.nothing, 1); /* nobody ever told of 8 */
	assert_int_equal(sums.calls, 4);
	weir_account_free(account);
	weir_dictionary_free(dictionary);
}

static void adds_up_all_handles_of_a_file(void **state)
{
	struct weir_dictionary *dictionary;
	struct weir_account *account = make_account(&dictionary);
	struct sums sums;
	size_t size;

	for (uint32_t i = 1; i <= 9; i++) {
		put_handle(i, "/one");
		put_sum(i, 2, 10);
		put(WRITE | (uint64_t)i << 32, 5, 5, "", 0);
	}
	take(account);
	read_back(account, &sums, &size);
	assert_int_equal(sums.files, 1);
	assert_int_equal(sums.calls, 27);
	assert_int_equal(sums.bytes, 135);
	weir_account_free(account);
	weir_dictionary_free(dictionary);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_all_sums_of_many_files),
		cmocka_unit_test(waits_for_names),
		cmocka_unit_test(adds_up_all_handles_of_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
