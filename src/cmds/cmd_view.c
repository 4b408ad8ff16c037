/* SPDX-License-Identifier: BSD-3-Clause */
/* weir view: shows bytes and requests over time, sizes, a file's map. */
#include "base/number.h"
#include "base/options.h"
#include "cmds/progress.h"
#include "cmds/trace_choice.h"
#include "cmds/unmatched.h"
#include "cmds/verdict.h"
#include "cmds/view_files.h"
#include "report/output/gnuplot.h"
#include "report/view/map_plot.h"
#include "report/view/map_text.h"
#include "report/view/size_text.h"
#include "report/view/view_plot.h"
#include "report/view/view_rows.h"
#include "report/view/view_text.h"
#include "spec/options.h"
#include "trace/read/select.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum what { BYTES, CALLS, SIZES, FILE_MAP, FILES, WHATS };
enum format { TEXT, CSV, JSONL, PICTURE };

static const char *const what_names[WHATS] = { "bytes", "calls", "sizes",
					       "file", "files" };

#define LISTED 20 /* files that may be meant, at most */

/* What the user wants to see. */
struct asked {
	const char *trace, *path, *layer;
	enum what what;
	enum format format;
	const char *picture; /* the file for it */
	enum weir_gnuplot_form form;
	struct weir_traffic_choice choice;
	struct weir_series_wish wish;
	bool bins;
};

/* One trace being read and shown. */
struct show {
	struct asked *asked;
	struct weir_reader *reader;
	struct weir_traffic traffic;
	struct weir_text out;
	struct weir_gnuplot gnuplot;
	struct weir_map_plot plot;
	struct weir_view view;
	struct weir_accessmap map;
	uint8_t *files;
};

/* Sums of calls do not tell when, nor where; nor do short records all. */
static const char *find_lack(const struct show *show)
{
	if (show->asked->what != SIZES &&
	    (weir_reader_has_profiles(show->reader) ||
	     show->traffic.has_sums))
		return "has sums instead of calls: only sizes can be shown";
	if (show->traffic.has_short &&
	    show->asked->choice.layer != WEIR_TRAFFIC_OS)
		return "has short records (weir run --ring) without layers: "
		       "only --layer os can be shown";
	return NULL;
}

static enum weir_fields_form form_of(const struct asked *asked)
{
	return asked->format == CSV ? WEIR_FIELDS_CSV : WEIR_FIELDS_JSONL;
}

/* Known only now: whether there are marks is seen when the trace was read. */
static int show_series(struct show *show)
{
	struct weir_progress progress;
	struct weir_series series;
	int err;

	weir_progress_begin(&progress, "reading the trace", show->reader);
	err = weir_series_gather(&series, &show->traffic, &show->asked->wish);
	weir_progress_end(&progress);
	if (err)
		return err;
	if (find_lack(show) || (series.by_marks && series.marks.count == 1))
		err = -ENODATA;
	else if (show->asked->format == PICTURE)
		err = weir_view_plot_series(&show->view, &series);
	else if (show->asked->format == TEXT)
		weir_view_text_series(&show->view, &series);
	else
		weir_view_rows_series(&show->view, form_of(show->asked),
				      &series);
	weir_series_fini(&series);
	return err;
}

static int show_sizes(struct show *show)
{
	struct weir_progress progress;
	struct weir_sizes sizes;
	int err;

	weir_progress_begin(&progress, "reading the trace", show->reader);
	err = weir_sizes_gather(&sizes, &show->traffic, show->asked->bins);
	weir_progress_end(&progress);
	if (err)
		return err;
	if (find_lack(show))
		err = -ENODATA;
	else if (show->asked->format == PICTURE)
		err = weir_view_plot_sizes(&show->view, &sizes);
	else if (show->asked->format == TEXT)
		weir_size_text_write(&show->view, &sizes);
	else
		weir_view_rows_sizes(&show->view, form_of(show->asked),
				     &sizes);
	if (sizes.folded)
		fprintf(stderr,
			"weir: more than %d different sizes: they are "
			"shown in powers of two\n",
			WEIR_SIZES_EXACT);
	weir_verdict_tell("asynchronous requests of a profile, which may be "
			  "reads or writes",
			  sizes.unsure);
	weir_sizes_fini(&sizes);
	return err;
}

/* Line by line: a file may have more accesses than memory. */
static int show_access(const struct weir_access *access, void *context)
{
	struct show *show = context;

	if (show->asked->format == PICTURE)
		return weir_map_plot_access(&show->plot, access);
	if (show->asked->format == TEXT)
		weir_map_text_access(&show->view, &show->map, access);
	else
		weir_view_rows_access(&show->view, form_of(show->asked),
				      access);
	return show->view.out->err;
}

/* Reads the trace for something that must be known before it is read. */
static int64_t read_before(struct show *show,
			   int64_t (*read)(struct show *show,
					   struct weir_traffic *traffic))
{
	struct weir_reader *first;
	struct weir_traffic traffic;
	int64_t result = weir_reader_open(show->asked->trace, &first);

	if (result)
		return result;
	result = weir_traffic_init(&traffic, first, &show->asked->choice);
	if (!result) {
		result = read(show, &traffic);
		weir_traffic_fini(&traffic);
	}
	weir_reader_close(first);
	return result;
}

/* Where an access is in a file can be shown when its length is known. */
static int64_t extent_of_map(struct show *show, struct weir_traffic *traffic)
{
	return weir_accessmap_sum_up(&show->map, traffic);
}

/* Files that were looked for, but never used, are not meant. */
static int64_t narrow(struct show *show, struct weir_traffic *traffic)
{
	return weir_accessmap_narrow(traffic, show->files);
}

static const char *name_of_file(const struct show *show)
{
	uint32_t number = 0;
	size_t len;

	while (!show->files[number])
		number++;
	return weir_reader_name(show->reader, number, &len);
}

/*
 * Text and pictures need the file's length first; rows do not, and are spared a
 * second reading.
 */
static int begin_map(struct show *show)
{
	int err;

	if (show->asked->format == CSV || show->asked->format == JSONL) {
		weir_view_rows_access(&show->view, form_of(show->asked), NULL);
		return 0;
	}
	err = (int)read_before(show, extent_of_map);
	if (!err && show->asked->format == PICTURE)
		return weir_map_plot_init(&show->plot, &show->view,
					  &show->map);
	if (!err)
		weir_map_text_begin(&show->view, &show->map,
				    name_of_file(show));
	return err;
}

static int show_file(struct show *show)
{
	int err = begin_map(show);

	if (!err)
		err = weir_accessmap_walk(&show->traffic, show_access, show);
	if (!err && show->asked->format == PICTURE)
		weir_map_plot_end(&show->plot, name_of_file(show));
	weir_map_plot_fini(&show->plot);
	weir_accessmap_fini(&show->map);
	return err;
}

/* Names of files may hold anything: they are printed safely. */
static void list_candidates(const struct show *show, int64_t count)
{
	const char *path = show->asked->path, *name;
	struct weir_text out;
	int64_t listed = 0;
	size_t len;

	if (!count)
		fprintf(stderr,
			"weir: %s: has no file `%s'; weir report lists "
			"its files\n",
			show->asked->trace, path);
	if (!count || weir_text_init(&out, STDERR_FILENO))
		return;
	fprintf(stderr,
		"weir: %s: `%s' may be any of %" PRIi64 " files; give "
		"more of the path:\n",
		show->asked->trace, path, count);
	for (uint32_t i = 1; i <= weir_reader_names(show->reader) &&
			     listed < LISTED; i++) {
		name = weir_reader_name(show->reader, i, &len);
		if (!show->files[i] || !name)
			continue;
		weir_text_string(&out, "  ");
		weir_text_safe(&out, name, len);
		weir_text_char(&out, '\n');
		listed++;
	}
	if (listed < count)
		weir_text_string(&out, "  and more\n");
	weir_text_flush(&out);
	weir_text_fini(&out);
}

/* Which one: 0, -errno, or -ENXIO after telling that none can be meant. */
static int choose_file(struct show *show)
{
	int64_t all = weir_select_path(show->reader, show->asked->path,
				       &show->files);
	int64_t count = all;

	if (all > 1) {
		show->asked->choice.files = show->files;
		count = read_before(show, narrow);
	}
	if (all < 0 || count < 0)
		return (int)(all < 0 ? all : count);
	if (count == 1)
		return 0;
	list_candidates(show, count ? count : all);
	return -ENXIO;
}

static int choose_files(struct show *show)
{
	struct asked *asked = show->asked;
	int err = 0;

	if (asked->path)
		err = choose_file(show);
	else if (asked->choice.file)
		err = weir_select_files(show->reader, asked->choice.file,
					&show->files);
	asked->choice.files = show->files;
	return err;
}

static int show_it(struct show *show)
{
	static int (*const ways[WHATS])(struct show *show) = {
		[BYTES] = show_series,
		[CALLS] = show_series,
		[SIZES] = show_sizes,
		[FILE_MAP] = show_file,
	};

	show->view.reader = show->reader;
	show->view.trace = show->asked->trace;
	show->view.layer = show->asked->layer;
	show->view.ways = show->asked->choice.ways;
	return ways[show->asked->what](show);
}

/* The end of the output says it, too: standard error is often not kept. */
static int print_view(struct show *show)
{
	int flushed, err = weir_text_init(&show->out, STDOUT_FILENO);

	if (err)
		return err;
	show->view.out = &show->out;
	err = show_it(show);
	if (!err && show->asked->format == TEXT &&
	    weir_reader_is_damaged(show->reader))
		weir_text_string(&show->out, "\nThis is incomplete: the trace "
					     "is damaged.\n");
	flushed = weir_text_flush(&show->out);
	weir_text_fini(&show->out);
	return err ? err : flushed;
}

/* What could not be drawn is not left behind. */
static int draw(struct show *show)
{
	const char *path = show->asked->picture;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct stat st;
	int drawn, err;

	if (fd < 0) {
		weir_verdict_refuse_output(path, -errno);
		return -EIO;
	}
	err = weir_gnuplot_start(&show->gnuplot, show->asked->form, fd);
	if (err == -ENOENT)
		err = -ENOEXEC;
	if (!err) {
		show->view.out = &show->gnuplot.in;
		err = show_it(show);
		drawn = weir_gnuplot_finish(&show->gnuplot);
		err = err ? err : drawn;
	}
	if (err && !fstat(fd, &st) && S_ISREG(st.st_mode))
		unlink(path);
	close(fd);
	return err;
}

static void tell_losses(const struct show *show)
{
	weir_verdict_tell_losses(show->reader);
	weir_verdict_tell("requests that never returned, not counted",
			  show->traffic.entered);
	weir_verdict_tell("asynchronous requests without a recorded end",
			  show->traffic.unseen);
	if (show->traffic.has_short)
		fputs("weir: short records (weir run --ring) have the calls on "
		      "streams, not the\nweir: requests that these make: the "
		      "calls are counted\n",
		      stderr);
}

static const char *word_of(int err)
{
	switch (err) {
	case -E2BIG:
		return "too many steps and columns: use a larger --step, or "
		       "--by host";
	case -ENODATA:
		return "no process has marked a phase or a time step "
		       "(weir-mark(7))";
	case -ENOEXEC:
		return "pictures are drawn by gnuplot, which was not found "
		       "(Debian: gnuplot-nox)";
	case -EPROTO:
		return "gnuplot could not draw it";
	case -ESTALE:
		return "changed while it was read; try again";
	default:
		return strerror(-err);
	}
}

static int exit_code(int err)
{
	return err == -E2BIG ? WEIR_EXIT_USAGE :
	       err == -ENODATA ? WEIR_EXIT_REFUSED : WEIR_EXIT_INTERNAL;
}

/* What the trace lacks is told instead of the error that followed from it. */
static int conclude_view(const struct show *show, int err)
{
	const char *trace = show->asked->trace;
	const char *lack = find_lack(show);

	if (err == -ENXIO)
		return WEIR_EXIT_USAGE;
	if (err == -EIO && show->asked->picture)
		return WEIR_EXIT_INTERNAL;
	if (lack) {
		fprintf(stderr, "weir: %s %s\n", trace, lack);
		return WEIR_EXIT_REFUSED;
	}
	if (err) {
		fprintf(stderr, "weir: %s: %s\n", trace, word_of(err));
		return exit_code(err);
	}
	tell_losses(show);
	return weir_verdict_tell_damage(show->reader, trace);
}

static int view(struct asked *asked)
{
	struct show show = { .asked = asked };
	int status, err = weir_reader_open(asked->trace, &show.reader);

	if (err)
		return weir_verdict_refuse(asked->trace, err);
	status = weir_unmatched_tell(show.reader, asked->trace,
				     asked->choice.process,
				     asked->choice.file);
	if (status) {
		weir_reader_close(show.reader);
		return status;
	}
	if (!find_lack(&show))
		err = choose_files(&show);
	if (!err && !find_lack(&show))
		err = weir_traffic_init(&show.traffic, show.reader,
					&asked->choice);
	if (show.traffic.reader)
		err = asked->format == PICTURE ? draw(&show)
					       : print_view(&show);
	status = conclude_view(&show, err);
	weir_traffic_fini(&show.traffic);
	free(show.files);
	weir_reader_close(show.reader);
	return status;
}

/* Words that say nothing without others are mistakes. */
static const char *find_mistake(const struct asked *asked,
				const struct weir_options *o)
{
	bool over_time = asked->what == BYTES || asked->what == CALLS;

	if (asked->what == WHATS)
		return "name what to show: bytes, calls, sizes, file or files";
	if ((asked->what == FILE_MAP) != !!asked->path)
		return "file needs a PATH; bytes, calls, sizes and files take "
		       "none";
	if (asked->what == FILES && !weir_view_files_takes(o))
		return "files takes only --process, --file and --format";
	if (asked->path && asked->choice.file)
		return "--file chooses for bytes, calls and sizes";
	if (asked->bins && asked->what != SIZES)
		return "--bins is for sizes";
	if (!over_time && (asked->wish.by || asked->wish.marks ||
			   weir_options_text(o, WEIR_VIEW_STEP)))
		return "--by, --step and --marks are for bytes and calls";
	if (asked->wish.marks && weir_options_text(o, WEIR_VIEW_STEP))
		return "--marks and --step are two ways to cut the time";
	if (weir_options_text(o, WEIR_VIEW_SVG) &&
	    weir_options_text(o, WEIR_VIEW_PNG))
		return "--svg and --png: one picture at a time";
	if (!asked->wish.steps)
		return "--steps is at least 1";
	return NULL;
}

static enum what read_what(const char *word)
{
	int what = word ? 0 : WHATS;

	while (what < WHATS && strcmp(what_names[what], word))
		what++;
	return (enum what)what;
}

/* Neither --read nor --write means both. */
static void read_choice(const struct weir_options *o, struct asked *asked)
{
	struct weir_traffic_choice *choice = &asked->choice;

	choice->process = weir_options_text(o, WEIR_VIEW_PROCESS);
	choice->file = weir_options_text(o, WEIR_VIEW_FILE);
	weir_options_span(o, WEIR_VIEW_TIME, &choice->from, &choice->to);
	choice->layer = weir_options_choice(o, WEIR_VIEW_LAYER);
	choice->marks = weir_options_flag(o, WEIR_VIEW_MARKS);
	if (weir_options_flag(o, WEIR_VIEW_READ))
		choice->ways |= WEIR_TRAFFIC_READ;
	if (weir_options_flag(o, WEIR_VIEW_WRITE))
		choice->ways |= WEIR_TRAFFIC_WRITE;
	if (!choice->ways)
		choice->ways = WEIR_TRAFFIC_BOTH;
}

/* A picture is instead of a table. */
static void read_form(const struct weir_options *o, struct asked *asked)
{
	const char *svg = weir_options_text(o, WEIR_VIEW_SVG);

	asked->format = weir_options_choice(o, WEIR_VIEW_FORMAT);
	asked->form = svg ? WEIR_GNUPLOT_SVG : WEIR_GNUPLOT_PNG;
	asked->picture = svg ? svg : weir_options_text(o, WEIR_VIEW_PNG);
	if (asked->picture)
		asked->format = PICTURE;
}

static const char *operand(const struct weir_options *o, unsigned place)
{
	return place < o->operand_count ? o->operands[place] : NULL;
}

/* What to show may stand alone; before it, its name is that of a trace. */
static bool names_trace(const struct weir_options *o)
{
	return read_what(operand(o, 0)) == WHATS ||
	       read_what(operand(o, 1)) != WHATS;
}

static bool read_options(const struct weir_options *o, struct asked *asked)
{
	const char *step = weir_options_text(o, WEIR_VIEW_STEP), *mistake;
	unsigned place = names_trace(o) ? 1 : 0;

	asked->trace = place ? operand(o, 0) : NULL;
	asked->what = read_what(operand(o, place));
	asked->path = operand(o, place + 1);
	asked->layer = o->verb->options[WEIR_VIEW_LAYER]
			       .choices[weir_options_choice(o,
							    WEIR_VIEW_LAYER)];
	read_form(o, asked);
	asked->bins = weir_options_flag(o, WEIR_VIEW_BINS);
	asked->wish = (struct weir_series_wish){
		.by = weir_options_choice(o, WEIR_VIEW_BY),
		.calls = asked->what == CALLS,
		.marks = weir_options_flag(o, WEIR_VIEW_MARKS),
		.steps = weir_options_number(o, WEIR_VIEW_STEPS),
	};
	read_choice(o, asked);
	mistake = find_mistake(asked, o);
	if (!mistake && step && (weir_number_parse_time(step,
							&asked->wish.step) ||
				 !asked->wish.step))
		mistake = "--step takes a time like 0.5 or 20ms";
	if (mistake)
		fprintf(stderr, "weir view: %s\n", mistake);
	return !mistake;
}

int weir_cmd_view(int argc, char **argv)
{
	const struct weir_verb *verb = &weir_verbs[WEIR_VERB_VIEW];
	struct asked asked = { 0 };
	struct weir_options o;
	int status;

	if (!weir_options_start(&o, verb, argc, argv, &status))
		return status;
	status = WEIR_EXIT_USAGE;
	if (read_options(&o, &asked))
		asked.trace = weir_trace_choice("view", asked.trace);
	else
		asked.trace = NULL;
	if (asked.trace)
		status = asked.what == FILES ?
				 weir_view_files_show(asked.trace, &o) :
				 view(&asked);
	weir_options_fini(&o);
	return status;
}
