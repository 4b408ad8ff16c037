/* SPDX-License-Identifier: BSD-3-Clause */
/* Understands the values of parameters. */
#ifndef WEIR_PLAN_VALUE_H
#define WEIR_PLAN_VALUE_H

#include "plan/plan_item.h"

#define WEIR_VALUE_WHY 400

/*
 * Fills in value, number, count and real of an item that has its parameter.
 * 0, -ENOMEM, or -EINVAL, and `why` says what is wrong.
 */
int weir_value_understand(struct weir_plan_item *item, const char *text,
			  char why[WEIR_VALUE_WHY]);

#endif
