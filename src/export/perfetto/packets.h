/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds packets of a Perfetto trace and writes them to a file. */
#ifndef WEIR_PERFETTO_PACKETS_H
#define WEIR_PERFETTO_PACKETS_H

#include "base/text.h"
#include "spec/perfetto.pb-c.h"
#include "trace/bytes/bytes.h"
#include "trace/bytes/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_PACKETS_NOTES 64 /* annotations of an event, at most */
#define WEIR_PACKETS_FLOWS 4

/* What names of a packet are kept in until it is written. */
struct weir_packets_new {
	WeirPerfetto__EventCategory category;
	WeirPerfetto__EventName name;
	WeirPerfetto__DebugAnnotationName notes[WEIR_PACKETS_NOTES];
	WeirPerfetto__InternedString strings[WEIR_PACKETS_NOTES];
	WeirPerfetto__EventCategory *category_list[1];
	WeirPerfetto__EventName *name_list[1];
	WeirPerfetto__DebugAnnotationName *note_list[WEIR_PACKETS_NOTES];
	WeirPerfetto__InternedString *string_list[WEIR_PACKETS_NOTES];
	WeirPerfetto__InternedData data;
};

/*
 * One packet at a time: begin, notes and flows, write. Names are written when
 * they first occur, and are numbers from then on.
 */
struct weir_packets {
	struct weir_text out;
	struct weir_text texts; /* goes nowhere: texts of the packet */
	struct weir_bytes packed;
	struct weir_map note_names; /* hashes, to numbers */
	struct weir_map categories; /* likewise */
	uint32_t note_count, category_count;
	uint8_t *strings; /* by number: whether it was told */
	bool has_begun;
	WeirPerfetto__TrackEvent event;
	WeirPerfetto__DebugAnnotation notes[WEIR_PACKETS_NOTES];
	WeirPerfetto__DebugAnnotation *note_list[WEIR_PACKETS_NOTES];
	uint64_t flows[WEIR_PACKETS_FLOWS], ends[WEIR_PACKETS_FLOWS];
	uint64_t category;
	struct weir_packets_new fresh;
};

/* Strings are numbered up to `strings`. 0 or -ENOMEM; wants fini either way. */
int weir_packets_init(struct weir_packets *all, int fd, uint32_t strings);
void weir_packets_fini(struct weir_packets *all);

/* Any packet; 0 or -errno. */
int weir_packets_put(struct weir_packets *all,
		     WeirPerfetto__TracePacket *packet);

/* A copy that lives until the next event, in its safe form or as it is. */
char *weir_packets_safe(struct weir_packets *all, const void *bytes,
			size_t len);
char *weir_packets_text(struct weir_packets *all, const char *text,
			size_t len);

void weir_packets_event(struct weir_packets *all,
			WeirPerfetto__TrackEvent__Type type, uint64_t track);

/* Its name: a number from 1, told with the name when it is new. */
void weir_packets_name(struct weir_packets *all, uint32_t number,
		       const char *name);
int weir_packets_category(struct weir_packets *all, const char *name);

/* Notes at an event; a text must live until it is written. */
int weir_packets_note_signed(struct weir_packets *all, const char *name,
			     int64_t number);
int weir_packets_note_unsigned(struct weir_packets *all, const char *name,
			       uint64_t number);
int weir_packets_note_text(struct weir_packets *all, const char *name,
			   char *text);
int weir_packets_note_string(struct weir_packets *all, const char *name,
			     uint32_t number, const char *bytes, size_t len);

/* It is one of the events that share this; is_last: no other follows. */
void weir_packets_flow(struct weir_packets *all, uint64_t flow, bool is_last);

int weir_packets_write(struct weir_packets *all, uint64_t time);

#endif
