/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of files and of processes. */
#include "report/screen/screen.h"

#include <inttypes.h>
#include <string.h>

static void say_file(const struct weir_screen *s, const struct weir_digest *d)
{
	size_t len = 0;
	const char *name =
		weir_names_get(&s->totals->names, (uint32_t)d->row->key, &len);

	weir_screen_digest(s, d);
	if (name)
		weir_text_safe(s->out, name, len);
	else
		weir_screen_print(s, "(no file, or an unknown one)");
	if (d->row->processes > 1)
		weir_screen_print(s, " (%" PRIu32 " processes)",
				  d->row->processes);
	weir_screen_print(s, "\n");
}

static void say_more(const struct weir_screen *s, uint64_t more)
{
	if (more)
		weir_screen_print(s, "  and %" PRIu64 " more\n", more);
}

static void say_rows(const struct weir_screen *s, const uint32_t *files,
		     size_t count)
{
	const struct weir_totals *f = s->totals;
	size_t shown = count < s->form.files ? count : (size_t)s->form.files;

	for (size_t i = 0; i < shown; i++) {
		struct weir_digest file = weir_totals_digest(
			f, weir_stock_at(&f->files, files[i]));

		say_file(s, &file);
	}
	say_more(s, count - shown);
}

/* Of those that did not fit into memory: the table's sums are those of all. */
static void say_folded(const struct weir_screen *s)
{
	const struct weir_totals *f = s->totals;
	struct weir_digest file;

	if (!f->folded)
		return;
	file = weir_totals_digest(f, &f->others);
	weir_screen_digest(s, &file);
	weir_screen_print(s, "(%" PRIu64 " files added up)\n", f->folded);
}

/*
 * What waits for others tells nothing of the storage, and stands behind the
 * files.
 */
void weir_screenrows_files(const struct weir_screen *screen)
{
	const struct weir_totals *f = screen->totals;
	const uint32_t *files = screen->files;
	size_t count = f->files.count, channels;

	while (count && weir_stock_at(&f->files, files[count - 1])->is_channel)
		count--;
	channels = f->files.count - count;
	weir_screen_columns(screen,
			    f->is_untimed ? "files by bytes moved"
					  : "files by time",
			    "file");
	say_rows(screen, files, count);
	say_folded(screen);
	if (channels && screen->form.details) {
		weir_screen_columns(
			screen, "pipes, sockets and terminals by time", "name");
		say_rows(screen, files + count, channels);
	} else if (channels) {
		weir_screen_print(screen,
				  "  and %zu pipes, sockets and terminals "
				  "(--details)\n",
				  channels);
	}
}

void weir_screenrows_by_bytes(const struct weir_screen *screen,
			      const uint32_t *files)
{
	weir_screen_columns(screen, "files by bytes moved", "file");
	say_rows(screen, files, screen->totals->files.count);
	say_folded(screen);
}

/* A process whose description was lost still has its figures. */
static void say_process(const struct weir_screen *s,
			const struct weir_digest *digest)
{
	const struct weir_procinfo *process =
		weir_reader_process(s->reader, (uint32_t)digest->row->key);

	weir_screen_digest(s, digest);
	weir_screen_print(s, "%" PRIu32 " ", process ? process->pid : 0);
	if (process && weir_procinfo_rank(process) >= 0)
		weir_screen_print(s, "rank %" PRIi64 " ",
				  weir_procinfo_rank(process));
	if (process && process->exe)
		weir_text_safe(s->out, process->exe, strlen(process->exe));
	weir_screen_print(s, "\n");
}

void weir_screenrows_processes(const struct weir_screen *screen)
{
	size_t count = screen->totals->processes.count;
	size_t shown = count < screen->form.processes
			       ? count
			       : (size_t)screen->form.processes;

	weir_screen_columns(screen,
			    screen->totals->is_untimed
				    ? "processes by bytes moved"
				    : "processes by time",
			    "pid and program");
	for (size_t i = 0; i < shown; i++)
		say_process(screen, &screen->processes[i]);
	say_more(screen, count - shown);
}
