/* SPDX-License-Identifier: BSD-3-Clause */
/* Work for other processes: what is to come, and where it belongs. */
#ifndef WEIR_EXPORT_TREEWAITS_H
#define WEIR_EXPORT_TREEWAITS_H

#include "export/treebuffer.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the call of this `cid' has come, and more is to come for it. */
bool weir_treewaits_has(const struct weir_treebuffer *buffer, uint64_t cid);

/* Below which line of another process a call stands; NULL: none. */
struct weir_treebuffer_line *
weir_treewaits_host(const struct weir_treebuffer *buffer,
		    const struct weir_treebuffer_call *call);

/* Notes what is to come for a line that was added. 0 or -ENOMEM. */
int weir_treewaits_add(struct weir_treebuffer *buffer,
		       struct weir_treebuffer_line *line,
		       const struct weir_treebuffer_call *call);

/* The line is shown: what is done for it comes too late. */
void weir_treewaits_leave(struct weir_treebuffer_line *line);

void weir_treewaits_fini(struct weir_treebuffer *buffer);

#endif
