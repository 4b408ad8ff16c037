/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples some of a file's blocks of events. */
#include "share/look.h"

#include "share/parts.h"
#include "trace/file/blocks.h"
#include "trace/event/dictionary.h"
#include "trace/file/rows.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct glance {
	struct weir_look *sample;
	int fd;
	struct weir_dictionary *dictionary; /* NULL: not needed yet, or none */
	bool has_asked;			    /* for it */
	struct weir_rows rows;
	struct weir_bytes payload;
	struct weir_zip zip;
};

static void count_layer(struct weir_look *sample, const char *name)
{
	uint32_t i = 0;

	while (i < sample->layer_count && strcmp(sample->layers[i].name, name))
		i++;
	if (i == WEIR_LOOK_LAYERS)
		return;
	if (i == sample->layer_count) {
		snprintf(sample->layers[i].name, sizeof(sample->layers->name),
			 "%s", name);
		sample->layers[i].calls = 0;
		sample->layer_count++;
	}
	sample->layers[i].calls++;
}

/* What reaches the system; libraries above move the same bytes. */
static int is_of_system(const struct weir_call *call)
{
	static const char *const layers[] = { "posix", "stdio", "async" };

	for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++)
		if (!call->layer || !strcmp(call->layer, layers[i]))
			return 1;
	return 0;
}

static int is_inner(const struct weir_call *call)
{
	return weir_call_is(call, WEIR_MEANS_STREAM_FILL) ||
	       weir_call_is(call, WEIR_MEANS_STREAM_FLUSH);
}

static void count_event(struct glance *glance, const struct weir_event *event)
{
	struct weir_look *sample = glance->sample;
	const struct weir_call *call =
		weir_dictionary_call(glance->dictionary, event->call);

	sample->rows++;
	if (event->call >= WEIR_NOTE_FIRST)
		return;
	if (call && is_inner(call)) {
		sample->inner++;
		return;
	}
	sample->calls++;
	sample->unreturned += !!(event->flags & WEIR_EVENT_ENTERED);
	sample->failed += !!(event->flags & WEIR_EVENT_FAILED);
	count_layer(sample, call && call->layer ? call->layer : "other");
	if (!call || call->is_served || !is_of_system(call) ||
	    event->ret < 0 || event->flags & WEIR_EVENT_FAILED)
		return;
	if (weir_call_is(call, WEIR_MEANS_READ) ||
	    weir_call_is(call, WEIR_MEANS_STREAM_READ))
		sample->bytes_read += weir_dictionary_moved(call, event);
	else if (weir_call_is(call, WEIR_MEANS_WRITE) ||
		 weir_call_is(call, WEIR_MEANS_STREAM_WRITE))
		sample->bytes_written += weir_dictionary_moved(call, event);
}

/* Of a trace of many files most are not looked into: read when needed. */
static int need_dictionary(struct glance *glance)
{
	if (glance->has_asked)
		return 0;
	glance->has_asked = true;
	return weir_parts_dictionary(glance->fd, &glance->dictionary);
}

static int look_into(struct glance *glance,
		     const struct weir_blocks_found *found)
{
	int err = need_dictionary(glance);

	if (!err)
		err = weir_blocks_load(glance->fd, found, &glance->zip,
				       &glance->payload);
	if (!err)
		err = weir_rows_decode(&glance->rows, glance->payload.data,
				       glance->payload.used, found->head.count);
	for (uint32_t i = 0; !err && i < found->head.count; i++) {
		struct weir_event event;

		weir_rows_next(&glance->rows, &event);
		count_event(glance, &event);
	}
	return err == -EBADMSG ? 0 : err; /* what is damaged is not seen */
}

int weir_look_file(struct weir_look *sample, int fd, uint64_t every)
{
	struct glance glance = {.sample = sample, .fd = fd};
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	int more, err = 0;

	weir_blocks_init(&blocks, fd);
	while (!err &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		if (found.head.type == WEIR_BLOCK_EVENTS &&
		    !(sample->blocks++ % every))
			err = look_into(&glance, &found);
	}
	if (!err)
		err = more;
	weir_blocks_fini(&blocks);
	weir_rows_fini(&glance.rows);
	weir_bytes_fini(&glance.payload);
	weir_zip_fini(&glance.zip);
	weir_dictionary_free(glance.dictionary);
	return err;
}
