/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds parameters by name. */
#ifndef WEIR_PLAN_PARAMETER_H
#define WEIR_PLAN_PARAMETER_H

#include "plan/plan_item.h"

#include <stdbool.h>

/* By any of its names, or the variable that it sets; NULL: there is none. */
const struct weir_param_row *weir_parameter_find(const char *name);

/* Why a name, or one of its values, is excluded; NULL: it is not. */
const char *weir_parameter_excluded(const char *name, const char *value);

/* The name that was perhaps meant; NULL: nothing comes near. */
const char *weir_parameter_nearest(const char *name);

/* Whether the item's value is one that only an opt-in allows. */
bool weir_parameter_is_opt_in(const struct weir_plan_item *item);

/* Whether one of the values is this word. */
bool weir_parameter_has(const struct weir_plan_item *item, const char *word);

#endif
