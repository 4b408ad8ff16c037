/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lists in the page's head: processes, files, call sites. */
#include "report/page/pagelists.h"

#include "report/output/jsonout.h"
#include "report/output/memtext.h"
#include "report/page/pagelimits.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_process_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* "1-4,9" */
static void put_numbers(struct weir_text *out, uint32_t *numbers,
			uint32_t count)
{
	qsort(numbers, count, sizeof(*numbers), by_process_number);
	weir_text_char(out, '"');
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count &&
				  numbers[end] == numbers[end - 1] + 1; end++)
			;
		weir_text_format(out, i ? ",%u" : "%u", numbers[i]);
		if (end > i + 1)
			weir_text_format(out, "-%u", numbers[end - 1]);
	}
	weir_text_char(out, '"');
}

/* null and not -1: scripts must not count it as a rank. */
static void put_rank(struct weir_text *out, const char *key,
		     const struct weir_procinfo *process)
{
	int64_t rank = process ? weir_procinfo_rank(process) : -1;

	weir_jsonout_key(out, key, 0);
	if (rank >= 0)
		weir_text_signed(out, rank);
	else
		weir_text_string(out, "null");
}

static const char *last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static bool is_server(const struct weir_procinfo *process)
{
	return process && weir_procinfo_is_server(process);
}

/* A group tells of its first process, and of the last rank. */
static void put_group(const struct weir_pagesource *page, uint32_t *procs,
		      uint32_t count, struct weir_text *out)
{
	const struct weir_procinfo *first =
		weir_reader_process(page->reader, procs[0]);
	const struct weir_procinfo *last =
		weir_reader_process(page->reader, procs[count - 1]);
	const struct weir_nodeinfo *node =
		weir_reader_node_of(page->reader, procs[0]);
	int64_t rank = first ? weir_procinfo_rank(first) : -1;
	int64_t end = last ? weir_procinfo_rank(last) : -1;

	weir_text_string(out, "{\"label\":\"");
	if (rank >= 0 && end > rank && count > 1)
		weir_text_format(out, "ranks %lld-%lld\"", (long long)rank,
				 (long long)end);
	else if (rank >= 0 && count == 1)
		weir_text_format(out, "rank %lld\"", (long long)rank);
	else if (count == 1)
		weir_text_format(out, "%s %u\"",
				 is_server(first) ? "server" : "process",
				 procs[0]);
	else
		weir_text_format(out, "%u processes from %u\"", count,
				 procs[0]);
	put_rank(out, "rank", first);
	put_rank(out, "rank_last", last);
	weir_jsonout_string(out, "host", node ? node->host : NULL);
	weir_jsonout_number(out, "pid", first ? first->pid : 0);
	weir_jsonout_string(out, "program",
			    first ? last_part(first->exe) : NULL);
	weir_jsonout_string(out, "side",
			    is_server(first) ? "server" : "client");
	weir_jsonout_number(out, "processes", count);
	weir_jsonout_key(out, "procs", 0);
	put_numbers(out, procs, count);
	weir_text_char(out, '}');
}

/*
 * Neighbours by rank are grouped when there are too many for rows of the page.
 */
static int put_who(const struct weir_pagesource *page, struct weir_text *out)
{
	const struct weir_outline *outline = page->overview->outline;
	uint32_t *procs = calloc((size_t)outline->order_count + 1,
				 sizeof(*procs));

	if (!procs)
		return -ENOMEM;
	memcpy(procs, outline->order, outline->order_count * sizeof(*procs));
	weir_jsonout_key(out, "who_is", 0);
	if (outline->per_group > 1)
		weir_text_format(out, "\"group of %u\"", outline->per_group);
	else
		weir_text_string(out, "\"process\"");
	weir_jsonout_key(out, "who", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < outline->order_count;
	     i += outline->per_group) {
		uint32_t left = outline->order_count - i;

		weir_text_string(out, i ? ",\n" : "\n");
		put_group(page, procs + i,
			  left < outline->per_group ? left :
						      outline->per_group,
			  out);
	}
	weir_text_char(out, ']');
	free(procs);
	return 0;
}

/*
 * Which of the reader's names each file has, one after the other: hosts may
 * have the same. To be freed.
 */
static int find_numbers(const struct weir_pagesource *page,
			uint32_t **ret_numbers, uint32_t *counts)
{
	const struct weir_outline *outline = page->overview->outline;
	uint32_t most = weir_reader_names(page->reader), found = 0;
	uint32_t *numbers = calloc((size_t)most + 1, sizeof(*numbers));
	uint16_t *file_of = calloc((size_t)most + 1, sizeof(*file_of));

	if (!numbers || !file_of) {
		free(numbers);
		free(file_of);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i <= most; i++) {
		size_t len = 0;
		const char *name = weir_reader_name(page->reader, i, &len);

		file_of[i] = (uint16_t)weir_outline_file(outline, name, len);
		if (file_of[i] < outline->file_count)
			counts[file_of[i]]++;
	}
	for (uint32_t file = 0; file < outline->file_count; file++) {
		uint32_t end = found + counts[file];

		for (uint32_t i = 1; found < end; i++)
			if (file_of[i] == file)
				numbers[found++] = i;
	}
	free(file_of);
	*ret_numbers = numbers;
	return 0;
}

/* Mounts that files lie on, each once. */
struct mounts {
	const struct weir_mount *list[WEIR_OUTLINE_FILES];
	int64_t count;
};

/*
 * By the mounts of the host whose process used the file first: the same name
 * may lie elsewhere on another host.
 */
static int64_t find_mount(const struct weir_pagesource *page, uint32_t file,
			  const char *name, struct mounts *mounts)
{
	uint32_t proc = page->overview->first_of[file];
	const struct weir_procinfo *process =
		weir_reader_process(page->reader, proc);
	const struct weir_mounts *all =
		process ? weir_reader_mounts(page->reader, process->node) :
			  NULL;
	const struct weir_mount *mount = all ? weir_mounts_of(all, name) :
					       NULL;

	if (!mount)
		return -1;
	for (int64_t i = 0; i < mounts->count; i++)
		if (!strcmp(mounts->list[i]->point, mount->point) &&
		    !strcmp(mounts->list[i]->type, mount->type) &&
		    !strcmp(mounts->list[i]->source, mount->source))
			return i;
	mounts->list[mounts->count] = mount;
	return mounts->count++;
}

/* The figures of a report's table. */
static void put_figures(const struct weir_pagesource *page,
			const struct weir_outline_file *file,
			struct weir_text *out)
{
	const struct weir_totals *totals = &page->facts->totals;
	const struct weir_row *row =
		weir_stock_find(&totals->files, file->number);
	struct weir_digest digest;

	if (!row)
		return;
	digest = weir_totals_digest(totals, row);
	weir_jsonout_number(out, "processes", row->processes);
	weir_jsonout_number(out, "bytes_read", digest.read);
	weir_jsonout_number(out, "bytes_written", digest.written);
	weir_jsonout_number(out, "calls", digest.calls);
	weir_jsonout_number(out, "time", digest.time);
}

/* Where an object lies; -1: that file is not listed. */
static int64_t find_whole(const struct weir_pagesource *page, const char *name)
{
	const struct weir_outline *outline = page->overview->outline;
	const char *end = NULL;
	uint32_t file;

	for (const char *at = name; (at = strstr(at, ":/")); at++)
		end = at;
	if (!end)
		return -1;
	file = weir_outline_file(outline, name, (size_t)(end - name));
	return file < outline->file_count ? (int64_t)file : -1;
}

static void put_file(const struct weir_pagesource *page, uint32_t file,
		     struct mounts *mounts, struct weir_text *out)
{
	static const char *const kinds[] = {
		[WEIR_OUTLINE_FILE] = "file",
		[WEIR_OUTLINE_OBJECT] = "object",
		[WEIR_OUTLINE_CHANNEL] = "channel",
	};
	const struct weir_outline_file *about =
		&page->overview->outline->files[file];
	int is_object = about->kind == WEIR_OUTLINE_OBJECT;
	size_t len = 0;
	const char *name = weir_names_get(&page->facts->totals.names,
					  about->number, &len);
	/* Its bytes are the file's, too: they are on a mount once. */
	int64_t mount = is_object ? -1 : find_mount(page, file, name, mounts);

	weir_text_string(out, file ? ",\n{\"name\":" : "\n{\"name\":");
	weir_text_json(out, name, len);
	weir_jsonout_string(out, "kind", kinds[about->kind]);
	if (is_object) {
		weir_jsonout_key(out, "of", 0);
		weir_text_signed(out, find_whole(page, name));
	}
	weir_jsonout_key(out, "mount", 0);
	weir_text_signed(out, mount);
	weir_jsonout_string(out, "fs",
			    mount < 0 ? NULL : mounts->list[mount]->type);
	put_figures(page, about, out);
	weir_jsonout_number(out, "extent", about->extent);
}

/* Hosts share most of them: each is in the list once. */
static void put_mounts(const struct mounts *mounts, struct weir_text *out)
{
	weir_jsonout_key(out, "mounts", 0);
	weir_text_char(out, '[');
	for (int64_t i = 0; i < mounts->count; i++) {
		const char *point = mounts->list[i]->point;

		weir_text_string(out, i ? ",{\"path\":" : "{\"path\":");
		weir_text_json(out, point, strlen(point));
		weir_jsonout_string(out, "fs", mounts->list[i]->type);
		weir_jsonout_string(out, "source", mounts->list[i]->source);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

/*
 * Two rows behind the named files: those added up, and calls on no file, so
 * that every number of a column has a row.
 */
static int put_files(const struct weir_pagesource *page, struct weir_text *out)
{
	const struct weir_outline *outline = page->overview->outline;
	uint32_t counts[WEIR_OUTLINE_FILES] = { 0 }, *numbers, *at;
	struct mounts mounts = { .count = 0 };
	int err = find_numbers(page, &numbers, counts);

	if (err)
		return err;
	at = numbers;
	weir_jsonout_key(out, "files", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < outline->file_count; i++) {
		put_file(page, i, &mounts, out);
		weir_jsonout_key(out, "numbers", 0);
		put_numbers(out, at, counts[i]);
		weir_text_char(out, '}');
		at += counts[i];
	}
	weir_text_string(out, outline->file_count ? "," : "");
	weir_text_string(out, "\n{\"name\":null,\"kind\":\"others\"");
	weir_jsonout_number(out, "files",
			    outline->files_in_all - outline->file_count);
	weir_text_string(out, "},\n{\"name\":null,\"kind\":\"none\"}]");
	put_mounts(&mounts, out);
	free(numbers);
	return 0;
}

/*
 * Offsets are counted in units of the file's own size, so that a map of fixed
 * height shows any file whole.
 */
static void put_access_files(const struct weir_pagesource *page,
			     const struct weir_pageindex *index,
			     struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;

	weir_jsonout_key(out, "access_files", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; i < index->placed_count; i++) {
		uint16_t file = index->placed[i];

		weir_text_string(out, i ? ",{\"file\":" : "{\"file\":");
		weir_text_unsigned(out, file);
		weir_jsonout_number(out, "offset_unit",
				    overview->outline->files[file].unit);
		weir_jsonout_number(out, "max_offset",
				    overview->outline->files[file].extent);
		weir_jsonout_number(out, "unplaced", overview->unplaced[file]);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}

/* A site as text, found among those before; UINT32_MAX: it tells nothing. */
static int tell_site(const struct weir_pagesource *page, uint32_t site,
		     struct weir_memtext *text, struct weir_names *told,
		     uint32_t *ret_number)
{
	static const char key[] = ",\"site\":";
	const struct weir_overview_site *about =
		&page->overview->site_list[site];
	size_t len = 0;
	const char *bytes =
		weir_names_get(&page->overview->sites, about->text, &len);
	struct weir_event event = {
		.proc = about->proc, .start = about->start, .dur = about->dur,
		.flags = WEIR_EVENT_SITE, .detail_len = (uint32_t)(len - 4),
		.detail = (const uint8_t *)bytes + 4,
	};
	struct weir_bytes json = { 0 };
	int err;

	*ret_number = WEIR_SAMPLE_NONE;
	page->put_site(page->context, &text->out, &event);
	err = weir_memtext_take(text, &json);
	if (!err && json.used > sizeof(key)) {
		err = weir_names_add(told, json.data + sizeof(key) - 1,
				     json.used - sizeof(key) + 1, ret_number);
		*ret_number -= 1;
	}
	weir_bytes_fini(&json);
	return err;
}

/* Those of calls in the sample, each once. */
static int put_sites(const struct weir_pagesource *page,
		     struct weir_pageindex *index, struct weir_text *out)
{
	const struct weir_overview *overview = page->overview;
	struct weir_names told = { 0 };
	struct weir_memtext text;
	size_t len = 0;
	int err = weir_memtext_init(&text);

	if (err)
		return err;
	memset(index->site_of, 0xff, overview->sites.count * sizeof(uint32_t));
	for (uint32_t i = 0;
	     !err && page->put_site && i < overview->chosen_count; i++) {
		uint32_t site = overview->chosen[i].site;

		if (site != WEIR_SAMPLE_NONE &&
		    index->site_of[site] == WEIR_SAMPLE_NONE)
			err = tell_site(page, site, &text, &told,
					&index->site_of[site]);
	}
	weir_jsonout_key(out, "sites", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 1; i <= told.count; i++) {
		const char *json = weir_names_get(&told, i, &len);

		weir_text_string(out, i > 1 ? "," : "");
		weir_text_bytes(out, json, len);
	}
	weir_text_char(out, ']');
	weir_names_fini(&told);
	weir_memtext_fini(&text);
	return err;
}

int weir_pagelists_put(const struct weir_pagesource *page,
		       struct weir_pageindex *index, struct weir_text *out)
{
	int err = put_who(page, out);

	err = err ? err : put_files(page, out);
	put_access_files(page, index, out);
	err = err ? err : put_sites(page, index, out);
	weir_pagelimits_put(page, out);
	return err;
}
