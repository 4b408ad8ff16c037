/* SPDX-License-Identifier: BSD-3-Clause */
/* weir plan --format json: prints what is in plans, spaces and the tables. */
#ifndef WEIR_CMDS_PLAN_AS_JSON_H
#define WEIR_CMDS_PLAN_AS_JSON_H

#include <stddef.h>

struct weir_plan;
struct weir_space;

/* These return what the tool is to exit with. */
int weir_plan_as_json_show(const struct weir_plan *plan);
int weir_plan_as_json_space(const struct weir_space *space);
int weir_plan_as_json_params(const char *part_of_name);

/*
 * Checks the bytes of a file and prints what is wrong with it. 0, -EINVAL when
 * something is, or another error of reading it, of which nothing is printed.
 */
int weir_plan_as_json_check(const char *path, const char *bytes, size_t size);

#endif
