/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows packed and read back, and very many of them in bounded memory. */
#include "analyse/calls/lately.h"
#include "analyse/sums/ledger.h"
#include "analyse/sums/rowpack.h"
#include "analyse/sums/stock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CALLS 5
#define LITTLE (UINT64_C(256) << 10) /* memory: for some thousands of rows */

static uint64_t some = 1;

/* Small, large, and often nothing. */
static uint64_t chance(void)
{
	some = some * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (some >> 40) % 3 ? some >> (some >> 33) % 64 : 0;
}

static void assert_same(const struct weir_row *a, const struct weir_row *b)
{
	assert_int_equal(a->first, b->first);
	assert_int_equal(a->last, b->last);
	assert_int_equal(a->own, b->own);
	assert_int_equal(a->is_channel, b->is_channel);
	assert_int_equal(a->processes, b->processes);
	assert_int_equal(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(a->entries[i].call, b->entries[i].call);
		assert_memory_equal(&a->entries[i].cell, &b->entries[i].cell,
				    sizeof(struct weir_cell));
	}
}

static void fill_cell(struct weir_cell *cell)
{
	uint64_t numbers[WEIR_CELL_NUMBERS];

	for (size_t i = 0; i < WEIR_CELL_NUMBERS; i++)
		numbers[i] = chance();
	memcpy(cell, numbers, sizeof(*cell));
}

static void pack_and_compare(const struct weir_row *row, struct weir_row *to,
			     uint64_t base)
{
	struct weir_bytes packed = { 0 };

	assert_int_equal(weir_rowpack_put(&packed, row, base), 0);
	assert_int_equal(weir_rowpack_count(packed.data, packed.used),
			 row->count);
	assert_int_equal(weir_rowpack_get(packed.data, packed.used, base, to),
			 0);
	assert_same(row, to);
	for (size_t cut = 0; cut < packed.used; cut++)
		assert_int_not_equal(weir_rowpack_get(packed.data, cut, base,
						      to), 0);
	weir_bytes_fini(&packed);
}

/* Whatever numbers: sums of damaged traces make no sense. */
static void rows_are_packed_and_read_back(void **state)
{
	struct weir_row to = { 0 };

	for (int round = 0; round < 500; round++) {
		struct weir_row row = {
			.first = chance(), .own = chance(),
			.is_channel = round & 1,
			.processes = (uint32_t)chance() >> 2,
		};

		row.last = row.first + chance();
		for (uint16_t i = 0; i < round % 4; i++)
			fill_cell(weir_row_cell(&row, (uint16_t)(i * 777)));
		pack_and_compare(&row, &to, chance());
		weir_row_fini(&row);
	}
	weir_row_fini(&to);
}

static void what_is_mostly_so_takes_few_bytes(void **state)
{
	struct weir_event event = { .size = 4096, .ret = 4096, .dur = 1500 };
	struct weir_row row = { .first = 1 }, to = { 0 };
	struct weir_bytes packed = { 0 };

	for (uint16_t call = 0; call < 3; call++)
		weir_cell_add_event(weir_row_cell(&row, call), &event, 4096);
	weir_row_span(&row, 100000, 900000);
	assert_int_equal(weir_rowpack_put(&packed, &row, 1), 0);
	assert_in_range(packed.used, 1, 50);
	pack_and_compare(&row, &to, 1);
	weir_bytes_fini(&packed);
	weir_row_fini(&row);
	weir_row_fini(&to);
}

/* One call on a file: of every thousandth, much longer than of others. */
static void count_one(struct weir_row *row, uint32_t key, uint16_t call)
{
	struct weir_event event = {
		.size = 8, .ret = 8, .start = key + UINT64_C(1),
		.off = 8 * call,
		.dur = key % 1000 == 7 ? 1000000 : 10 + key % 100,
	};
	uint64_t bytes = key % 1000 == 9 ? 1 << 20 : 8;

	weir_cell_add_event(weir_row_cell(row, call), &event, bytes);
	weir_row_span(row, event.start, event.start + event.dur);
	row->own += event.dur;
}

/* Files one after the other, and each some more times much later. */
static void count(struct weir_stock *stock, struct weir_ledger *model,
		  uint32_t files)
{
	for (uint16_t call = CALLS; call-- > 0;) {
		for (uint32_t key = 0; key < files; key++) {
			struct weir_row *row = weir_stock_row(stock, key);

			assert_non_null(row);
			count_one(row, key, call);
			row = weir_ledger_row(model, key);
			assert_non_null(row);
			count_one(row, key, call);
		}
	}
}

static void sort_all(struct weir_ledger *model)
{
	for (size_t i = 0; i < model->count; i++)
		weir_row_sort(&model->rows[i]);
}

static void nothing_is_lost_while_there_is_room(void **state)
{
	struct weir_ledger model = { 0 };
	struct weir_stock stock = { 0 };

	count(&stock, &model, 5000);
	assert_int_equal(weir_stock_settle(&stock), 0);
	sort_all(&model);
	assert_int_equal(stock.count, 5000);
	assert_int_equal(weir_stock_files(&stock), 4999);
	assert_int_equal(stock.folded, 0);
	for (size_t i = 0; i < stock.count; i++) {
		uint32_t key = weir_stock_key(&stock, i);

		assert_int_equal(weir_stock_at(&stock, i)->key, key);
		assert_same(weir_stock_at(&stock, i),
			    weir_ledger_find(&model, key));
		assert_same(weir_stock_find(&stock, key),
			    weir_ledger_find(&model, key));
	}
	assert_null(weir_stock_find(&stock, 5000));
	weir_stock_fini(&stock);
	weir_ledger_fini(&model);
}

/* Each file is in one row, whole, or among the others; all are somewhere. */
static void assert_all_there(const struct weir_stock *stock,
			     struct weir_ledger *model, size_t files)
{
	struct weir_row all = { 0 }, expected = { 0 };

	sort_all(model);
	assert_int_equal(stock->count + stock->folded, files);
	assert_int_equal(weir_row_merge(&all, &stock->others), 0);
	for (size_t i = 0; i < stock->count; i++) {
		const struct weir_row *row = weir_stock_at(stock, i);

		assert_same(row, weir_ledger_find(model, row->key));
		assert_int_equal(weir_row_merge(&all, row), 0);
	}
	for (size_t i = 0; i < model->count; i++)
		assert_int_equal(weir_row_merge(&expected, &model->rows[i]),
				 0);
	weir_row_sort(&all);
	weir_row_sort(&expected);
	assert_same(&all, &expected);
	weir_row_fini(&all);
	weir_row_fini(&expected);
}

static void what_matters_keeps_its_row(void **state)
{
	struct weir_stock stock = { .most = LITTLE };
	struct weir_ledger model = { 0 };
	const uint32_t files = 30000;

	count(&stock, &model, files);
	assert_int_equal(weir_stock_settle(&stock), 0);
	assert_true(stock.folded > files / 2);
	assert_true(stock.count > 1000);
	assert_in_range(stock.packed.used, 1, LITTLE);
	assert_all_there(&stock, &model, files);
	assert_non_null(weir_stock_find(&stock, 0)); /* of no file */
	for (uint32_t key = 0; key < files; key++)
		if (key % 1000 == 7 || key % 1000 == 9)
			assert_non_null(weir_stock_find(&stock, key));
	weir_stock_fini(&stock);
	weir_ledger_fini(&model);
}

/* Also of files that one has added up, and the other has not. */
static void stocks_are_merged(void **state)
{
	struct weir_stock to = { .most = LITTLE }, from = { .most = LITTLE };
	struct weir_ledger model = { 0 };

	count(&to, &model, 1000);
	count(&from, &model, 20000);
	assert_int_equal(to.folded, 0);
	assert_true(from.folded);
	assert_int_equal(weir_stock_merge(&to, &from), 0);
	assert_int_equal(from.count, 0);
	assert_int_equal(weir_stock_settle(&to), 0);
	assert_all_there(&to, &model, 20000);
	weir_stock_fini(&to);
	weir_ledger_fini(&model);
}

/* Who has many kinds of calls has a long row: few are in use at a time. */
static void long_rows_are_bounded_too(void **state)
{
	struct weir_stock stock = { 0 };
	struct weir_ledger model = { 0 };

	for (int round = 0; round < 3; round++) {
		for (uint32_t key = 0; key < 300; key++) {
			for (uint16_t call = 0; call < 300; call++) {
				count_one(weir_stock_row(&stock, key), key,
					  call);
				count_one(weir_ledger_row(&model, key), key,
					  call);
			}
			assert_in_range(stock.live_room, 0, 40000);
		}
	}
	assert_int_equal(weir_stock_settle(&stock), 0);
	assert_all_there(&stock, &model, 300);
	weir_stock_fini(&stock);
	weir_ledger_fini(&model);
}

static void what_was_long_ago_is_forgotten(void **state)
{
	struct weir_lately lately = { 0 };
	uint64_t before, last = 10 * WEIR_LATELY_KEYS;

	for (uint64_t key = 1; key <= last; key++) {
		assert_int_equal(weir_lately_swap(&lately, key, 2 * key,
						  &before), 0);
		assert_int_equal(before, 0);
	}
	for (uint64_t key = last - WEIR_LATELY_KEYS + 1; key <= last; key++)
		assert_int_equal(weir_lately_get(&lately, key), 2 * key);
	assert_int_equal(weir_lately_get(&lately, 1), 0);
	assert_int_equal(weir_lately_swap(&lately, last, 1, &before), 0);
	assert_int_equal(before, 2 * last);
	assert_in_range(lately.now.room, 0, 65536);
	weir_lately_fini(&lately);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_packed_and_read_back),
		cmocka_unit_test(what_is_mostly_so_takes_few_bytes),
		cmocka_unit_test(nothing_is_lost_while_there_is_room),
		cmocka_unit_test(what_matters_keeps_its_row),
		cmocka_unit_test(stocks_are_merged),
		cmocka_unit_test(long_rows_are_bounded_too),
		cmocka_unit_test(what_was_long_ago_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
