/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how large files are, who uses them, and what is used again. */
#include "report/as_files.h"

#include "report/output/measures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A file, and its users where they are known. */
struct line {
	const char *name;
	size_t name_len;
	struct weir_digest digest;
	uint64_t size, again;
	const struct weir_filesum_file *users; /* NULL: not known */
};

static bool is_file(const struct weir_totals *totals,
		    const struct weir_row *row)
{
	return row->key && !row->is_channel &&
	       !weir_totals_is_object(totals, row);
}

static struct line line_of(const struct weir_runfacts *facts,
			   const struct weir_row *row)
{
	struct line line = {
		.digest = weir_totals_digest(&facts->totals, row),
		.size = weir_filesum_size(row),
		.users = weir_filesum_find(&facts->files, (uint32_t)row->key),
	};

	line.name = weir_names_get(&facts->totals.names, (uint32_t)row->key,
				   &line.name_len);
	line.again = weir_filesum_again(&line.digest);
	return line;
}

static void say_sum(struct weir_text *out, const struct weir_runfacts *facts)
{
	struct weir_filesum sum = weir_filesum_of(&facts->totals,
						  &facts->files);
	char size[WEIR_MEASURES_ROOM], again[WEIR_MEASURES_ROOM];
	const struct {
		uint64_t count;
		const char *what;
	} parts[] = {
		{ sum.shared, "used by several processes" },
		{ sum.across, "of these across nodes" },
		{ sum.passed_on, "written by one process, read by another" },
	};

	weir_text_format(out, "%9" PRIu64 "  files, %s as far as they were "
			      "used, %s read once more\n",
			 sum.files, weir_measures_bytes(size, sum.size),
			 weir_measures_bytes(again, sum.again));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (i < 2 || !facts->totals.has_sums)
			weir_text_format(out, "%9" PRIu64 "  %s\n",
					 parts[i].count, parts[i].what);
}

/* "-" where sums do not tell. */
static void say_users(struct weir_text *out, const struct line *line)
{
	const struct weir_filesum_file *users = line->users;

	weir_text_format(out, " %9" PRIu32, line->digest.row->processes);
	if (users)
		weir_text_format(out, " %7" PRIu32 " %7" PRIu32 "  ",
				 users->readers, users->writers);
	else
		weir_text_format(out, " %7s %7s  ", "-", "-");
}

static void say_line(struct weir_text *out, const struct line *line)
{
	char size[WEIR_MEASURES_ROOM], again[WEIR_MEASURES_ROOM];
	char read[WEIR_MEASURES_ROOM], written[WEIR_MEASURES_ROOM];

	weir_text_format(out, "%10s %10s %10s %10s",
			 weir_measures_bytes(size, line->size),
			 weir_measures_bytes(read, line->digest.read),
			 weir_measures_bytes(written, line->digest.written),
			 weir_measures_bytes(again, line->again));
	say_users(out, line);
	if (line->name)
		weir_text_safe(out, line->name, line->name_len);
	if (line->users && line->users->is_across)
		weir_text_string(out, " (across nodes)");
	weir_text_char(out, '\n');
}

/* Who is not known is null; the heading wants a line of nothing. */
static void put_line(struct weir_fields *f, const struct line *line)
{
	static const struct weir_row no_row;
	const struct weir_row *row = line ? line->digest.row : &no_row;
	static const struct line no_line;
	const struct line *it = line ? line : &no_line;

	weir_fields_text(f, "file", it->name ? it->name : "", it->name_len);
	weir_fields_number(f, "size", it->size);
	weir_fields_number(f, "read", it->digest.read);
	weir_fields_number(f, "written", it->digest.written);
	weir_fields_number(f, "read_again", it->again);
	weir_fields_number(f, "processes", row->processes);
	if (line && !line->users) {
		weir_fields_none(f, "readers");
		weir_fields_none(f, "writers");
		weir_fields_none(f, "across_nodes");
	} else {
		weir_fields_number(f, "readers",
				   line ? line->users->readers : 0);
		weir_fields_number(f, "writers",
				   line ? line->users->writers : 0);
		weir_fields_number(f, "across_nodes",
				   line ? line->users->is_across : 0);
	}
	weir_fields_end(f);
}

/* The most bytes moved first. */
static int each_line(const struct weir_runfacts *facts,
		     void (*take)(void *context, const struct line *line),
		     void *context)
{
	const struct weir_stock *files = &facts->totals.files;
	uint32_t *order;
	int err = weir_totals_sort_files(&facts->totals, WEIR_ORDER_BYTES,
					 &order);

	for (size_t i = 0; !err && i < files->count; i++) {
		const struct weir_row *row = weir_stock_at(files, order[i]);
		struct line line;

		if (!is_file(&facts->totals, row))
			continue;
		line = line_of(facts, row);
		take(context, &line);
	}
	if (!err)
		free(order);
	return err;
}

static void take_text(void *context, const struct line *line)
{
	say_line(context, line);
}

static void take_row(void *context, const struct line *line)
{
	put_line(context, line);
}

int weir_as_files_text(struct weir_text *out, const struct weir_runfacts *facts)
{
	say_sum(out, facts);
	weir_text_format(out, "\n%10s %10s %10s %10s %9s %7s %7s  %s\n", "size",
			 "read", "written", "read again", "processes",
			 "readers", "writers", "file");
	return each_line(facts, take_text, out);
}

int weir_as_files_rows(struct weir_text *out, enum weir_fields_form form,
		       const struct weir_runfacts *facts)
{
	struct weir_fields f = { .out = out, .form = form, .heading = 1 };

	put_line(&f, NULL);
	f.heading = 0;
	return each_line(facts, take_row, &f);
}
