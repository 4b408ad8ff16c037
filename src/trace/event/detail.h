/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the arguments of an event by the kinds of its call. */
#ifndef WEIR_EVENT_DETAIL_H
#define WEIR_EVENT_DETAIL_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_DETAIL_STAT_FIELDS 13

/* The value of one argument; which members count depends on kind->wire. */
struct weir_value {
	const char *name;
	const struct weir_kind *kind;
	int given;       /* 0: optional and left out, not filled, or cut off */
	int is_signed;   /* number is to be read as int64_t */
	uint64_t number; /* plain numbers; PATH: the base handle */
	const uint8_t *text; /* STRING and PATH */
	size_t text_len;
	uint64_t vector_given; /* VECTOR: elements the call had */
	uint64_t vector_shown; /* pairs that follow in `pairs` */
	const uint8_t *pairs;  /* LEB128 base, length; see next_pair */
	size_t pairs_len;
	const char *field_names; /* RECORD: see next_field */
	const uint8_t *fields;
	size_t fields_len;
	uint64_t stat[WEIR_DETAIL_STAT_FIELDS]; /* times are signed, ns */
	uint64_t pair[2]; /* PAIR: two descriptors, signed */
	uint64_t handle;  /* HANDLE: of the descriptor in number */
};

/* One field of a RECORD. */
struct weir_field {
	const char *name;
	size_t name_len;
	const char *show; /* how to print its number; not terminated */
	size_t show_len;
	int is_text;
	int64_t number;
	const uint8_t *text;
	size_t text_len;
};

/* Names of the stat fields, in the order of the wire. */
extern const char *const weir_detail_stat_names[WEIR_DETAIL_STAT_FIELDS];

static inline int weir_detail_stat_is_time(int field)
{
	return field >= 8 && field <= 10;
}

struct weir_detail {
	const struct weir_event *event;
	const struct weir_call *call;
	uint32_t next; /* argument */
	const uint8_t *at;
	size_t left;
	int cut; /* the detail ended early: the rest is not given */
};

/* Both are borrowed. */
void weir_detail_start(struct weir_detail *detail,
		       const struct weir_event *event,
		       const struct weir_call *call);

/* How many bytes of the detail are no arguments: see WEIR_EVENT_SITE. */
uint32_t weir_detail_site_bytes(const struct weir_event *event);

/* 1 and the next argument, or 0 after the last. Never fails: a detail that
 * is cut or damaged makes values that are not given. */
int weir_detail_next(struct weir_detail *detail,
		     struct weir_value *ret_value);

/* Takes a pair off a vector; 0 when there is none left. */
int weir_detail_next_pair(struct weir_value *vector, uint64_t *ret_base,
			  uint64_t *ret_len);

/* Takes a field off a record; 0 when there is none left. */
int weir_detail_next_field(struct weir_value *record,
			   struct weir_field *ret_field);

/* The first path argument: 1 with text and number set, or 0. */
int weir_detail_first_path(const struct weir_event *event,
			   const struct weir_call *call,
			   struct weir_value *ret_value);

#endif
