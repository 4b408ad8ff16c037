/* SPDX-License-Identifier: BSD-3-Clause */
/* Surveys a trace by the headers and texts of its blocks. */
#include "share/survey.h"

#include "analyse/sums/profile.h"
#include "base/grow.h"
#include "base/hash.h"
#include "trace/file/blocks.h"
#include "trace/facts/procinfo.h"
#include "trace/facts/props.h"
#include "trace/live/salvage.h"
#include "trace/file/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file under survey; its times are known when its last HEAD is. */
struct walk {
	struct weir_survey *survey;
	int fd;
	struct weir_nodeinfo info;
	struct weir_mounts mounts; /* as its last HEAD tells */
	uint64_t first, last; /* ticks of events, since has_times */
	bool has_times, has_events, has_chunks, has_end, has_info;
	uint64_t rows, short_rows, blocks;
	struct weir_unrecorded unrecorded;
	struct weir_bytes text;
	struct weir_zip zip;
};

void weir_survey_fini(struct weir_survey *survey)
{
	free(survey->processes);
	weir_map_fini(&survey->process_of);
	weir_names_fini(&survey->ranks);
	weir_names_fini(&survey->traits);
	weir_names_fini(&survey->programs);
	weir_names_fini(&survey->hosts);
	weir_names_fini(&survey->clocks);
	weir_names_fini(&survey->versions);
	weir_names_fini(&survey->settings);
	weir_filemounts_fini(&survey->mounts);
	*survey = (struct weir_survey){0};
}

static int add_word(struct weir_names *words, const char *word)
{
	uint32_t number;

	return *word ? weir_names_add(words, word, strlen(word), &number) : 0;
}

/* Lines of HEAD that nodeinfo does not know: how it was recorded. */
static int take_settings(struct weir_survey *survey,
			 const struct weir_bytes *text)
{
	static const char *const known[] = {
		"format", "weir",  "host",  "created",	"clock",
		"tick0",  "mono0", "real0", "mult",	WEIR_CLOCKFIX_OF,
		WEIR_CLOCKFIX_BEGIN,	    WEIR_CLOCKFIX_END,
		WEIR_MOUNTS_LINE,	    WEIR_MOUNTS_UNTOLD, NULL};
	struct weir_props_walk lines;
	struct weir_props_line line;
	uint32_t number;
	char clock[16];
	int err = 0;

	weir_props_start(&lines, text->data, text->used);
	while (!err && weir_props_next(&lines, &line)) {
		int i = 0;

		while (known[i] && !weir_props_is(&line, known[i]))
			i++;
		if (!known[i])
			err = weir_names_add(&survey->settings, line.key,
					     line.key_len + 1 + line.value_len,
					     &number);
		if (!weir_props_is(&line, "clock"))
			continue;
		weir_props_value(&line, clock, sizeof(clock));
		err = add_word(&survey->clocks, clock);
	}
	return err;
}

/* The ticks seen so far become time, by the HEAD that was last. */
static void settle_times(struct walk *walk)
{
	struct weir_survey *survey = walk->survey;
	uint64_t begin = weir_nodeinfo_real(&walk->info, walk->first);
	uint64_t end = weir_nodeinfo_real(&walk->info, walk->last);

	if (!walk->has_info)
		return;
	weir_clockfix_bind(&survey->bound, &walk->info.clock);
	if (!walk->has_times)
		begin = end = walk->info.created;
	if (!survey->end || begin < survey->begin)
		survey->begin = begin;
	if (end > survey->end)
		survey->end = end;
	walk->has_times = false;
	walk->first = walk->last = 0;
}

/* The files seen so far lie on the mounts of the HEAD that was last. */
static int settle_files(struct walk *walk)
{
	int err = weir_filemounts_settle(&walk->survey->mounts, &walk->mounts);

	weir_mounts_fini(&walk->mounts);
	return err;
}

static int take_head(struct walk *walk, uint32_t flags)
{
	struct weir_survey *survey = walk->survey;
	int err = 0;

	if (flags & WEIR_HEAD_PART) {
		settle_times(walk);
		err = settle_files(walk);
	}
	err = err ?: weir_nodeinfo_parse(walk->text.data, walk->text.used,
					 &walk->info);
	if (err)
		return err;
	err = weir_mounts_parse(walk->text.data, walk->text.used,
				&walk->mounts);
	if (err)
		return err;
	walk->has_info = true;
	if (walk->info.format > survey->format)
		survey->format = walk->info.format;
	err = add_word(&survey->hosts, walk->info.host);
	if (!err)
		err = add_word(&survey->versions, walk->info.version);
	return err ? err : take_settings(survey, &walk->text);
}

static int make_process(struct weir_survey *survey, uint64_t who,
			size_t *ret_index)
{
	uint64_t known = weir_map_get(&survey->process_of, who);

	if (known) {
		*ret_index = known - 1;
		return 0;
	}
	if (WEIR_GROW(survey->processes, survey->process_count,
		      survey->process_room))
		return -ENOMEM;
	*ret_index = survey->process_count++;
	return weir_map_put(&survey->process_of, who, *ret_index + 1);
}

/* Not those that differ from process to process. */
static int take_traits(struct weir_survey *survey,
		       const struct weir_procinfo *info)
{
	static const char *const keys[] = {"launcher", "job",  "size",   "mpi",
					   "thread_level", "hdf5", "pnetcdf",
					   "role", "policy", "on_close",
					   "cache", "backend"};
	const char *rank = weir_procinfo_tells(info, "rank");
	int err = rank ? add_word(&survey->ranks, rank) : 0;

	for (size_t i = 0; !err && i < sizeof(keys) / sizeof(*keys); i++) {
		const char *value = weir_procinfo_tells(info, keys[i]);
		char text[256];

		if (!value)
			continue;
		snprintf(text, sizeof(text), "%s %s", keys[i], value);
		err = add_word(&survey->traits, text);
	}
	return err;
}

/* A process is told several times, and in several files: the last counts. */
static int take_process(struct walk *walk)
{
	struct weir_survey *survey = walk->survey;
	struct weir_survey_process *to;
	struct weir_procinfo info;
	size_t index = 0;
	int err = weir_procinfo_parse(walk->text.data, walk->text.used, &info);
	uint64_t who[4];

	if (err)
		return err;
	who[0] = info.pid;
	who[1] = info.start;
	who[2] = info.tick0;
	who[3] = weir_hash_bytes(walk->info.host, strlen(walk->info.host));
	err = make_process(survey, weir_hash_bytes(who, sizeof(who)), &index);
	if (!err) {
		to = &survey->processes[index];
		*to = (struct weir_survey_process){
			.dropped = info.dropped + info.outside,
			.lost = info.lost,
			.overwritten = info.overwritten,
			.pid = info.pid,
			.rank = weir_procinfo_rank(&info),
			.end = info.end,
			.was_killed = weir_procinfo_was_killed(&info),
			.is_live = !strcmp(info.state, "live"),
		};
		memcpy(to->hidden, info.hidden, sizeof(to->hidden));
		for (size_t i = 0; i < info.thread_count; i++)
			to->threads += !info.threads[i].level;
		if (info.exe)
			err = weir_names_add(&survey->programs, info.exe,
					     strlen(info.exe), &to->program);
		err = err ? err : take_traits(survey, &info);
	}
	weir_procinfo_fini(&info);
	return err;
}

static int take_node(struct walk *walk)
{
	struct weir_unrecorded told;
	int err =
		weir_unrecorded_parse(walk->text.data, walk->text.used, &told);

	if (!err)
		weir_unrecorded_raise(&walk->unrecorded, &told);
	return err;
}

static int take_end(struct walk *walk)
{
	struct weir_props_walk lines;
	struct weir_props_line line;
	uint64_t events = 0, calls = 0;

	weir_props_start(&lines, walk->text.data, walk->text.used);
	while (weir_props_next(&lines, &line)) {
		if (weir_props_is(&line, "events") &&
		    weir_props_number(&line, &events))
			return -EBADMSG;
		if (weir_props_is(&line, "calls") &&
		    weir_props_number(&line, &calls))
			return -EBADMSG;
	}
	walk->survey->events += events;
	walk->survey->summed += calls;
	walk->has_end = true;
	return 0;
}

static int take_text_block(struct walk *walk,
			   const struct weir_blocks_found *found)
{
	int err = weir_blocks_load(walk->fd, found, &walk->zip, &walk->text);

	if (err)
		return err;
	switch (found->head.type) {
	case WEIR_BLOCK_HEAD:
		return take_head(walk, found->head.flags);
	case WEIR_BLOCK_PROC:
		return take_process(walk);
	case WEIR_BLOCK_NODE:
		return take_node(walk);
	}
	return take_end(walk);
}

static void take_times(struct walk *walk, const struct weir_block *head)
{
	if (!walk->has_times || head->first < walk->first)
		walk->first = head->first;
	if (head->last > walk->last)
		walk->last = head->last;
	walk->has_times = true;
}

static void take_events(struct walk *walk, const struct weir_block *head)
{
	take_times(walk, head);
	walk->has_events = true;
	walk->rows += head->count;
	walk->survey->event_blocks++;
}

/* Short records: in a raw file they are as good as chunks. */
static void take_ring(struct walk *walk, const struct weir_block *head)
{
	if (head->flags & WEIR_RING_HANDLES) {
		walk->has_chunks = true;
		walk->survey->records += head->count;
		return;
	}
	take_times(walk, head);
	walk->short_rows += head->count;
}

static int take_names(struct walk *walk, const struct weir_blocks_found *found)
{
	int err = weir_blocks_load(walk->fd, found, &walk->zip, &walk->text);

	if (err)
		return err;
	err = weir_filemounts_see(&walk->survey->mounts, &walk->text);
	return err == -EBADMSG ? 0 : err; /* what is damaged is not seen */
}

/* Of sums: each process tells of its files by itself. */
static int take_profile(struct walk *walk,
			const struct weir_blocks_found *found)
{
	struct weir_survey *survey = walk->survey;
	struct weir_profile_walk rows = { 0 };
	struct weir_profile_row row;
	int more = 0, err = weir_blocks_load(walk->fd, found, &walk->zip,
					     &walk->text);

	survey->profiles++;
	rows.at = walk->text.data;
	rows.left = walk->text.used;
	while (!err && (more = weir_profile_next(&rows, &row)) > 0) {
		if (row.kind == WEIR_PROFILE_FILE)
			err = weir_filemounts_see_name(&survey->mounts,
						       row.name, row.name_len);
		else if (row.kind == WEIR_PROFILE_OTHERS)
			survey->folded += row.names;
		weir_row_fini(&row.row);
	}
	err = err ? err : more;
	return err == -EBADMSG ? 0 : err; /* what is damaged is not seen */
}

static int take_block(void *data, const struct weir_blocks_found *found)
{
	struct walk *walk = data;
	const struct weir_block *head = &found->head;
	int err = 0;

	walk->blocks++;
	switch (head->type) {
	case WEIR_BLOCK_EVENTS:
		take_events(walk, head);
		break;
	case WEIR_BLOCK_RING:
		take_ring(walk, head);
		break;
	case WEIR_BLOCK_CHUNK:
		walk->has_chunks = true;
		walk->survey->records += head->count;
		break;
	case WEIR_BLOCK_NAMES:
		err = take_names(walk, found);
		break;
	case WEIR_BLOCK_PROFILE:
		err = take_profile(walk, found);
		break;
	case WEIR_BLOCK_DICT:
	case WEIR_BLOCK_PLAN: /* weir_outcome_read() takes it */
		break;
	case WEIR_BLOCK_HEAD:
	case WEIR_BLOCK_PROC:
	case WEIR_BLOCK_NODE:
	case WEIR_BLOCK_END:
		err = take_text_block(walk, found);
		break;
	default:
		walk->survey->unknown_blocks++;
	}
	if (err != -EBADMSG)
		return err;
	walk->survey->damaged_blocks++;
	return 0;
}

static int sum_up_blocks(struct walk *walk)
{
	weir_unrecorded_add(&walk->survey->unrecorded, &walk->unrecorded);
	walk->survey->rows += walk->rows;
	walk->survey->short_rows += walk->short_rows;
	settle_times(walk);
	return settle_files(walk);
}

static void fini(struct walk *walk)
{
	weir_mounts_fini(&walk->mounts);
	weir_bytes_fini(&walk->text);
	weir_zip_fini(&walk->zip);
}

static int walk_blocks(struct walk *walk)
{
	struct weir_blocks blocks;
	int err;

	weir_blocks_init(&blocks, walk->fd);
	err = weir_blocks_each(&blocks, take_block, walk);
	if (!err && !walk->blocks && blocks.damaged_bytes)
		err = -EBADMSG;
	walk->survey->damaged_blocks += blocks.damaged_places;
	walk->survey->damaged_bytes += blocks.damaged_bytes;
	weir_blocks_fini(&blocks);
	return err;
}

int weir_survey_add(struct weir_survey *survey, int fd)
{
	struct walk walk = {
		.survey = survey, .fd = fd, .info.mult = UINT64_C(1) << 32};
	struct stat st;
	int err = walk_blocks(&walk);

	err = err ?: sum_up_blocks(&walk);
	fini(&walk);
	if (err)
		return err;
	if (!fstat(fd, &st))
		survey->bytes += (uint64_t)st.st_size;
	survey->files++;
	if (walk.has_end || walk.has_events || walk.short_rows)
		survey->packed++;
	else
		survey->raw++;
	if (!walk.has_end) {
		survey->events += walk.rows + walk.short_rows;
		survey->unended += walk.has_events || walk.short_rows;
	}
	return 0;
}

int weir_survey_add_live(struct weir_survey *survey, const char *live_dir)
{
	struct walk walk = {.survey = survey, .info.mult = UINT64_C(1) << 32};
	struct weir_store *store;
	uint32_t next = 1;
	int err, fd = memfd_create("weir", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	err = weir_store_adopt(fd, &store);
	if (err)
		return err;
	walk.fd = fd;
	err = weir_salvage_dir(live_dir, store, &next);
	if (err == -ENOENT || err == -ENOTDIR)
		err = 0;
	err = err ?: walk_blocks(&walk);
	err = err ?: sum_up_blocks(&walk);
	fini(&walk);
	weir_store_close(store);
	return err;
}

uint64_t weir_survey_names(const struct weir_survey *survey, bool *ret_exact)
{
	*ret_exact = !survey->folded;
	return survey->mounts.seen.count + survey->folded;
}

uint64_t weir_survey_calls(const struct weir_survey *survey, bool *ret_exact)
{
	*ret_exact =
		!survey->records && !survey->unended && !survey->damaged_blocks;
	return survey->events + survey->summed + survey->records;
}
