/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files and processes of one run again in another. */
#include "analyse/compare/matching.h"

#include "analyse/compare/nameform.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* While things are looked at. */
struct matching {
	struct weir_pairing *pairing;
	const struct weir_compare_run *runs;
	uint32_t *const *rows; /* their keys */
	struct weir_nameform_root roots[2];
	struct weir_bytes text;
	uint64_t *keys[2];
	int even; /* as many are left of one run as of the other */
};

/* Appends to m->text what things must share; nothing: like no other. */
typedef int speller(struct matching *m, int run, uint32_t number);

/* One way to find something again, from the surest on. */
struct way {
	enum weir_pairing_how how;
	speller *spell;
};

static const char *file_name(const struct matching *m, int run,
			     uint32_t number, size_t *ret_len)
{
	*ret_len = 0;
	return weir_names_get(&m->runs[run].facts->totals.names, number,
			      ret_len);
}

/* Calls on no file have no name, and are of one kind: no file is so called. */
static int spell_name(struct matching *m, int run, uint32_t number)
{
	size_t len;
	const char *name = file_name(m, run, number, &len);

	return name ? weir_bytes_add(&m->text, name, len)
		    : weir_bytes_add(&m->text, "/", 2);
}

static int spell_place(struct matching *m, int run, uint32_t number)
{
	size_t len;
	const char *name = file_name(m, run, number, &len);

	return name ? weir_nameform_place(&m->text, name, len, &m->roots[run])
		    : 0;
}

static int spell_form(struct matching *m, int run, uint32_t number)
{
	size_t len;
	const char *name = file_name(m, run, number, &len);

	return name ? weir_nameform_make(&m->text, name, len, &m->roots[run])
		    : 0;
}

static int add_rank(struct matching *m, int run, uint32_t number)
{
	const struct weir_procinfo *process =
		weir_reader_process(m->runs[run].reader, number);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;

	return rank < 0 ? 0 : weir_bytes_add(&m->text, &rank, sizeof(rank));
}

static const char *program_name(const struct matching *m, int run,
				uint32_t number)
{
	const struct weir_procinfo *process =
		weir_reader_process(m->runs[run].reader, number);
	const char *slash = process && process->exe ?
				    strrchr(process->exe, '/') : NULL;

	if (slash)
		return slash + 1;
	return process && process->exe ? process->exe : "";
}

static int spell_program(struct matching *m, int run, uint32_t number)
{
	const char *name = program_name(m, run, number);

	return weir_bytes_add(&m->text, name, strlen(name));
}

static int spell_rank(struct matching *m, int run, uint32_t number)
{
	return add_rank(m, run, number);
}

static int spell_rank_and_program(struct matching *m, int run, uint32_t number)
{
	int err = add_rank(m, run, number);

	return err || !m->text.used ? err : spell_program(m, run, number);
}

/* app-v1 and app-v2. */
static int spell_program_form(struct matching *m, int run, uint32_t number)
{
	static const struct weir_nameform_root none;
	const char *name = program_name(m, run, number);

	return weir_nameform_make(&m->text, name, strlen(name), &none);
}

/* Programs were renamed, as it seems, when as many are left. */
static int spell_nothing(struct matching *m, int run, uint32_t number)
{
	(void)run;
	(void)number;
	return m->even ? weir_bytes_add(&m->text, "", 1) : 0;
}

/*
 * The key of one thing: a hash of its text and, where wanted, of which of that
 * it is. There may be too many texts to keep them all.
 */
static int make_key(struct matching *m, struct weir_map *orders,
		    uint64_t *ret_key)
{
	uint64_t what[2] = { 0, 0 };
	int err = 0;

	*ret_key = 0;
	if (!m->text.used)
		return 0;
	what[0] = weir_hash_bytes(m->text.data, m->text.used);
	if (orders) {
		what[1] = weir_map_get(orders, what[0]) + 1;
		err = weir_map_put(orders, what[0], what[1]);
	}
	*ret_key = weir_hash_bytes(what, sizeof(what)) ?: 1;
	return err;
}

static int make_keys(struct matching *m, int run, speller *spell,
		     int in_order)
{
	struct weir_map orders = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < m->pairing->count[run]; i++) {
		m->keys[run][i] = 0;
		if (m->pairing->group[run][i])
			continue;
		m->text.used = 0;
		err = spell(m, run, m->rows[run][i]);
		err = err ? err : make_key(m, in_order ? &orders : NULL,
					   &m->keys[run][i]);
	}
	weir_map_fini(&orders);
	return err;
}

static size_t count_left(const struct weir_pairing *pairing, int run)
{
	size_t left = 0;

	for (size_t i = 0; i < pairing->count[run]; i++)
		left += !pairing->group[run][i];
	return left;
}

static int try_way(struct matching *m, const struct way *way, int in_order)
{
	const uint64_t *const keys[2] = { m->keys[0], m->keys[1] };
	int err;

	m->even = count_left(m->pairing, 0) == count_left(m->pairing, 1);
	err = make_keys(m, 0, way->spell, in_order);
	err = err ? err : make_keys(m, 1, way->spell, in_order);
	return err ? err : weir_pairing_try(m->pairing, way->how, keys);
}

static int try_ways(struct matching *m, const struct way *ways, size_t count,
		    int in_order)
{
	int err = 0;

	for (int run = 0; run < 2; run++)
		m->keys[run] = calloc(m->pairing->count[run] + 1,
				      sizeof(**m->keys));
	if (!m->keys[0] || !m->keys[1])
		err = -ENOMEM;
	for (size_t i = 0; !err && i < count; i++)
		err = try_way(m, &ways[i], in_order);
	free(m->keys[0]);
	free(m->keys[1]);
	weir_bytes_fini(&m->text);
	if (!err)
		weir_pairing_end(m->pairing);
	return err;
}

/* Of the first process that tells: launchers start the others there too. */
static const char *working_directory(const struct weir_reader *reader)
{
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && process->cwd && process->cwd[0] &&
		    !weir_procinfo_is_server(process))
			return process->cwd;
	}
	return NULL;
}

int weir_matching_files(struct weir_pairing *pairing,
			const struct weir_compare_run runs[2],
			uint32_t *const rows[2])
{
	static const struct way ways[] = {
		{ WEIR_PAIRED_NAME, spell_name },
		{ WEIR_PAIRED_PLACE, spell_place },
		{ WEIR_PAIRED_FORM, spell_form },
	};
	const char *cwds[2] = { working_directory(runs[0].reader),
				working_directory(runs[1].reader) };
	struct matching m = { .pairing = pairing, .runs = runs,
			      .rows = rows };

	weir_nameform_roots(cwds, m.roots);
	return try_ways(&m, ways, sizeof(ways) / sizeof(*ways), 0);
}

int weir_matching_processes(struct weir_pairing *pairing,
			    const struct weir_compare_run runs[2],
			    uint32_t *const rows[2])
{
	static const struct way ways[] = {
		{ WEIR_PAIRED_RANK, spell_rank_and_program },
		{ WEIR_PAIRED_RANK, spell_rank },
		{ WEIR_PAIRED_PROGRAM, spell_program },
		{ WEIR_PAIRED_PROGRAM, spell_program_form },
		{ WEIR_PAIRED_ORDER, spell_nothing },
	};
	struct matching m = { .pairing = pairing, .runs = runs,
			      .rows = rows };

	return try_ways(&m, ways, sizeof(ways) / sizeof(*ways), 1);
}
