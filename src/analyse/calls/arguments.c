/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the arguments of a call say to analysis. */
#include "analyse/calls/arguments.h"

#include "trace/event/detail.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

/* Others are not believed. */
#define SMALLEST_STRIPE (UINT64_C(4) << 10)
#define LARGEST_STRIPE	(UINT64_C(1) << 40)

static uint32_t marks_of_flags(uint64_t flags)
{
	uint32_t marks = 0;

	if (flags & O_CREAT)
		marks |= WEIR_CALLVIEW_CREATES;
	if (flags & (O_SYNC | O_DSYNC))
		marks |= WEIR_CALLVIEW_SYNCHRONOUS;
	if (flags & O_DIRECT)
		marks |= WEIR_CALLVIEW_DIRECT;
	return marks;
}

/* HDF5's numbers: 1 is collective where it was asked, up to 1 not as done. */
static uint32_t marks_of_wish(uint64_t number)
{
	return number == 1 ? WEIR_CALLVIEW_MEANT_TOGETHER : 0;
}

static uint32_t marks_of_outcome(uint64_t number)
{
	return number <= 1 ? WEIR_CALLVIEW_WENT_APART : 0;
}

/* Both are needed: then the file gets what the program writes to memory. */
#define WRITABLE	(UINT32_C(1) << 30)
#define SHARED		(UINT32_C(1) << 31)
#define MAPPED_TO_WRITE (WRITABLE | SHARED)

static uint32_t marks_of_rights(uint64_t number)
{
	return number & PROT_WRITE ? WRITABLE : 0;
}

static uint32_t marks_of_mapping(uint64_t number)
{
	return number & MAP_SHARED ? SHARED : 0;
}

/* What lies behind KEY= where a word begins; 0: it is not there. */
static uint64_t number_behind(const struct weir_value *value, const char *key)
{
	size_t len = strlen(key);
	uint64_t number = 0;

	for (size_t i = 0; i + len <= value->text_len; i++) {
		if ((i && value->text[i - 1] != ' ') ||
		    memcmp(value->text + i, key, len))
			continue;
		for (i += len; i < value->text_len; i++) {
			if (value->text[i] < '0' || value->text[i] > '9')
				break;
			number = number * 10 + value->text[i] - '0';
		}
		return number;
	}
	return 0;
}

/* Of layouts with several parts it is not known which one counts. */
static uint64_t stripe_of(const struct weir_value *value)
{
	uint64_t size;

	if (strcmp(value->name, "stripes") || !value->text ||
	    number_behind(value, "parts="))
		return 0;
	size = number_behind(value, "size=");
	if (!size)
		size = number_behind(value, "stripe_unit=");
	return size >= SMALLEST_STRIPE && size <= LARGEST_STRIPE ? size : 0;
}

static int has_readable_arguments(const struct weir_callview *view)
{
	return view->class == WEIR_CLASS_OPEN ||
	       view->layer == WEIR_CALLVIEW_HDF5 ||
	       view->marks & WEIR_CALLVIEW_MAPS ||
	       (view->layer == WEIR_CALLVIEW_MPIIO &&
		view->class == WEIR_CLASS_OTHER);
}

/* By the form that an argument is shown in, what its number says. */
static const struct {
	const char *show;
	uint32_t (*marks)(uint64_t number);
} told[] = {
	{ "open_flags", marks_of_flags },   { "h5_xfer", marks_of_wish },
	{ "h5_io_mode", marks_of_outcome }, { "prot", marks_of_rights },
	{ "map_flags", marks_of_mapping },
};

/* Not who only asks for it. */
static int says_atomic(const struct weir_call *call,
		       const struct weir_value *value)
{
	return weir_call_is(call, WEIR_MEANS_PREPARE) &&
	       !strcmp(value->name, "atomic");
}

/* Arguments are only looked at of calls that are few. */
void weir_arguments_read(const struct weir_call *call,
			 struct weir_callview *view)
{
	struct weir_detail detail;
	struct weir_value value;
	uint32_t marks = 0;

	if (!call || !has_readable_arguments(view))
		return;
	weir_detail_start(&detail, &view->event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given || !value.kind->show)
			continue;
		if (says_atomic(call, &value))
			marks |= WEIR_CALLVIEW_SAYS_ATOMIC |
				 (value.number ? WEIR_CALLVIEW_ATOMIC : 0);
		if (!view->unit)
			view->unit = stripe_of(&value);
		for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
			if (!strcmp(value.kind->show, told[i].show))
				marks |= told[i].marks(value.number);
	}
	if ((marks & MAPPED_TO_WRITE) == MAPPED_TO_WRITE)
		marks |= WEIR_CALLVIEW_FILLS;
	view->marks |= marks & ~MAPPED_TO_WRITE;
}

int weir_arguments_other(const struct weir_call *call,
			 const struct weir_event *event, int32_t *ret_fd)
{
	struct weir_detail detail;
	struct weir_value value;

	if (!call)
		return 0;
	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given || strcmp(value.kind->name, "otherfd"))
			continue;
		*ret_fd = (int32_t)value.number;
		return 1;
	}
	return 0;
}
