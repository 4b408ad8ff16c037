/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the tracks of a Perfetto trace: processes and threads. */
#include "export/perfetto/tracks.h"

#include <stdio.h>
#include <string.h>

static uint64_t track_of_process(uint32_t proc)
{
	return (uint64_t)proc << 32 | UINT32_MAX;
}

static int put_descriptor(struct weir_tracks *all,
			  WeirPerfetto__TrackDescriptor *track)
{
	WeirPerfetto__TracePacket packet = WEIR_PERFETTO__TRACE_PACKET__INIT;

	track->has_uuid = 1;
	packet.track_descriptor = track;
	return weir_packets_put(all->packets, &packet);
}

/* "rank 3 simulate (node17)" */
static char *name_process(struct weir_tracks *all,
			  const struct weir_procinfo *process)
{
	const struct weir_reader *reader = all->reader;
	const struct weir_nodeinfo *node =
		weir_reader_node(reader, process->node);
	struct weir_text *line = &all->line;

	line->used = 0;
	weir_dump_put_process(line, process);
	if (node && weir_reader_node(reader, 1)) {
		weir_text_string(line, " (");
		weir_text_safe(line, node->host, strlen(node->host));
		weir_text_char(line, ')');
	}
	return weir_packets_text(all->packets, line->bytes, line->used);
}

/* Of very long ones the beginning. */
static size_t list_arguments(struct weir_tracks *all,
			     const struct weir_procinfo *process,
			     char **list, size_t most)
{
	size_t count = 0;

	while (count < process->arg_count && count < most) {
		const char *word = process->args[count];
		char *safe = weir_packets_safe(all->packets, word,
					       strlen(word));

		if (!safe)
			break;
		list[count++] = safe;
	}
	return count;
}

static int describe_process(struct weir_tracks *all,
			    const struct weir_procinfo *process)
{
	WeirPerfetto__TrackDescriptor track =
		WEIR_PERFETTO__TRACK_DESCRIPTOR__INIT;
	WeirPerfetto__ProcessDescriptor told =
		WEIR_PERFETTO__PROCESS_DESCRIPTOR__INIT;
	char *words[256];

	all->packets->texts.used = 0;
	track.uuid = track_of_process(process->number);
	track.process = &told;
	told.has_pid = 1;
	told.pid = (int32_t)weir_pidbook_process(&all->pids, process->number);
	told.process_name = name_process(all, process);
	told.cmdline = words;
	told.n_cmdline = list_arguments(all, process, words,
					sizeof(words) / sizeof(*words));
	return put_descriptor(all, &track);
}

static int describe_processes(struct weir_tracks *all)
{
	const struct weir_reader *reader = all->reader;
	uint32_t count = weir_reader_processes(reader);
	int err = 0;

	for (uint32_t i = 1; !err && i <= count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process)
			err = describe_process(all, process);
	}
	return err;
}

static int describe_thread(struct weir_tracks *all,
			   const struct weir_dump_event *described)
{
	WeirPerfetto__TrackDescriptor track =
		WEIR_PERFETTO__TRACK_DESCRIPTOR__INIT;
	WeirPerfetto__ThreadDescriptor told =
		WEIR_PERFETTO__THREAD_DESCRIPTOR__INIT;
	const struct weir_event *event = described->event;
	char name[64];
	uint32_t tid;
	int err = weir_pidbook_thread(&all->pids, described->process,
				      event->proc, event->thread, &tid);

	if (err)
		return err;
	snprintf(name, sizeof(name), "thread %u.%u", event->proc,
		 event->thread);
	track.uuid = weir_tracks_of(event);
	track.has_parent_uuid = 1;
	track.parent_uuid = track_of_process(event->proc);
	track.thread = &told;
	told.has_pid = 1;
	told.pid = (int32_t)weir_pidbook_process(&all->pids, event->proc);
	told.has_tid = 1;
	told.tid = (int32_t)tid;
	told.thread_name = name;
	return put_descriptor(all, &track);
}

int weir_tracks_add(struct weir_tracks *all, uint64_t track, uint64_t parent,
		    const char *name)
{
	WeirPerfetto__TrackDescriptor told =
		WEIR_PERFETTO__TRACK_DESCRIPTOR__INIT;

	told.uuid = track;
	told.has_parent_uuid = parent != 0;
	told.parent_uuid = parent;
	told.name = (char *)name;
	return put_descriptor(all, &told);
}

/* Whether the track is to be described now. */
static int is_new_track(struct weir_tracks *all, uint64_t track,
			bool *ret_is_new)
{
	*ret_is_new = !weir_map_get(&all->known, track);
	return *ret_is_new ? weir_map_put(&all->known, track, 1) : 0;
}

int weir_tracks_need(struct weir_tracks *all,
		     const struct weir_dump_event *described)
{
	bool is_new;
	int err = is_new_track(all, weir_tracks_of(described->event),
			       &is_new);

	return err || !is_new ? err : describe_thread(all, described);
}

int weir_tracks_need_marks(struct weir_tracks *all,
			   const struct weir_dump_event *described,
			   uint64_t *ret_track)
{
	uint64_t thread = weir_tracks_of(described->event);
	bool is_new;
	int err = is_new_track(all, ~thread, &is_new);

	*ret_track = ~thread;
	return err || !is_new ? err :
				weir_tracks_add(all, ~thread, thread, "marks");
}

int weir_tracks_init(struct weir_tracks *all,
		     const struct weir_reader *reader,
		     struct weir_packets *packets)
{
	int err = weir_text_init(&all->line, -1);

	all->reader = reader;
	all->packets = packets;
	if (!err)
		err = weir_pidbook_init(&all->pids, reader);
	return err ? err : describe_processes(all);
}

void weir_tracks_fini(struct weir_tracks *all)
{
	weir_pidbook_fini(&all->pids);
	weir_map_fini(&all->known);
	weir_text_fini(&all->line);
}
