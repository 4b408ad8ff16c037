/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the plan of this process, and what becomes of it. Who applies settings
 * asks here which, and tells how each went: to the control file, which counts
 * it for `weir run`, and to the trace.
 */
#ifndef WEIR_ADJUST_ADJUST_H
#define WEIR_ADJUST_ADJUST_H

#include "capture/layer.h"
#include "plan/plan_layout.h"

/* Before the first call: the plan in this file. On any doubt there is none. */
void weir_adjust_begin(const char *path);

/* The rest are for our other objects too. All keep errno. */

/* False: there is no plan, and nothing to do. */
WEIR_GATE_DOOR bool weir_adjust_is_on(void);

/* False: there is no setting of this target, whatever the file. */
WEIR_GATE_DOOR bool weir_adjust_has(enum weir_plan_target target);

/*
 * The settings of a target for a file, as the program names it, and a dataset
 * (NULL: none); see weir_flatplan_next(). File names that begin nowhere are
 * looked at from the working directory.
 */
WEIR_GATE_DOOR const struct weir_plan_setting *
weir_adjust_next(enum weir_plan_target target, const char *file,
		 const char *dataset, const struct weir_plan_setting *setting);

/* By number, from 0 to less than WEIR_PLAN_SETTINGS; they are one array. */
WEIR_GATE_DOOR const struct weir_plan_setting *weir_adjust_nth(uint32_t n);

/* Of the parameter. */
WEIR_GATE_DOOR const char *
weir_adjust_name(const struct weir_plan_setting *setting);

WEIR_GATE_DOOR const char *
weir_adjust_value(const struct weir_plan_setting *setting);

/*
 * Whether all of so many ranks are known to make the call that returns to
 * this offset in an object, whose path this is.
 */
WEIR_GATE_DOOR bool
weir_adjust_is_proven(const struct weir_plan_setting *setting,
		      const char *object, uint64_t offset, uint32_t ranks);

/*
 * How a setting went. With `on`, between weir_layer_end() and _put(), the
 * trace is told too: below the call, about `handle`. `effective` is what was
 * read back, or why it is not, in a few words; "" if there is nothing to say.
 */
WEIR_GATE_DOOR void weir_adjust_tell(struct weir_layer *on, uint32_t handle,
				     const struct weir_plan_setting *setting,
				     enum weir_plan_verdict verdict,
				     const char *effective);

#endif
