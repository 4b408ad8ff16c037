/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a whole trace as a file or folder that other tools read. */
#include "export/export.h"

#include "export/outplace.h"

#include <string.h>

static const struct weir_export_format *const formats[] = {
	&weir_to_otf2,
	&weir_to_perfetto,
	&weir_to_sqlite,
	&weir_to_csv,
};

const struct weir_export_format *weir_export_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

struct job {
	const struct weir_export_wish *wish;
	struct weir_export *export;
};

static int take_event(void *context, const struct weir_dump_event *event)
{
	struct job *job = context;

	job->export->events++;
	return job->wish->format->event(job->export, event);
}

static int write_all(struct job *job)
{
	const struct weir_export_format *format = job->wish->format;
	int err = format->begin(job->export);

	if (!err)
		err = weir_dump_walk(job->export->reader, job->wish->filter,
				     take_event, job);
	if (!err)
		err = format->end(job->export);
	format->leave(job->export);
	return err;
}

int weir_export_write(struct weir_reader *reader,
		      const struct weir_export_wish *wish,
		      struct weir_export *ret_told)
{
	struct weir_outplace place;
	struct job job = { .wish = wish, .export = ret_told };
	int err = weir_outplace_init(&place, wish->out, wish->force);

	*ret_told = (struct weir_export){
		.reader = reader, .trace = wish->trace, .place = place.partial,
	};
	if (err)
		return err;
	if (wish->format->by_process)
		weir_reader_by_process(reader);
	err = write_all(&job);
	if (!err)
		err = weir_outplace_finish(&place);
	weir_outplace_fini(&place);
	ret_told->place = NULL;
	return err;
}
