/* SPDX-License-Identifier: BSD-3-Clause */
/* Records marks of the program: events that are no calls. */
#include "preload/mark.h"

#include "capture/call/observe.h"
#include "capture/record/encode.h"
#include "capture/record/pass.h"
#include "spec/calls.h"

#define WEIR_EXPORT __attribute__((visibility("default")))

/* The numbers are those of include/weir/mark.h. */
static const struct mark {
	uint16_t call;
	bool has_name;
	bool has_number;
} marks[] = {
	[1] = { .call = WEIR_CALL_MARK_BEGIN, .has_name = true },
	[2] = { .call = WEIR_CALL_MARK_END, .has_name = true },
	[3] = { .call = WEIR_CALL_MARK_PHASE, .has_name = true },
	[4] = { .call = WEIR_CALL_MARK_STEP, .has_number = true },
	[5] = { .call = WEIR_CALL_MARK_PAUSE },
	[6] = { .call = WEIR_CALL_MARK_RESUME },
};

#define MARKS (sizeof(marks) / sizeof(marks[0]))

static void put_mark(const struct mark *mark, const char *name,
		     long long number)
{
	struct weir_args args = { .call = mark->call };
	struct weir_pass pass;
	struct weir_encoded *detail;

	if (!weir_observe_enter(&pass))
		return;
	pass.why = 0; /* also while calls are not recorded */
	pass.handle = 0;
	weir_observe_start(&pass, &args);
	if (!weir_observe_leave(&pass))
		return;
	pass.end = pass.start;
	detail = weir_observe_detail(&pass);
	if (mark->has_name)
		weir_encode_text(detail, name);
	if (mark->has_number)
		weir_encode_signed(detail, number);
	weir_observe_record(&pass, &args);
}

/* Short records and sums have no room for words. */
static bool keeps_marks(void)
{
	return !(weir_control_aside() & (WEIR_MANNER_RING |
					 WEIR_MANNER_PROFILE));
}

WEIR_EXPORT void weir_mark_put(int what, const char *name, long long number)
{
	int err = weir_gate_errno();
	const struct mark *mark;

	if (!weir_thread_recording || what <= 0 || what >= (int)MARKS)
		return;
	mark = &marks[what];
	if (keeps_marks())
		put_mark(mark, name, number);
	if (mark->call == WEIR_CALL_MARK_PAUSE ||
	    mark->call == WEIR_CALL_MARK_RESUME)
		weir_control_switch(mark->call == WEIR_CALL_MARK_RESUME);
	weir_gate_set_errno(err);
}
