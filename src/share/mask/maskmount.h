/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names in a mount as HEAD has it. */
#ifndef WEIR_MASK_MASKMOUNT_H
#define WEIR_MASK_MASKMOUNT_H

#include "share/mask/mask.h"
#include "trace/facts/props.h"

/*
 * Writes such a line: the type as it is, the point as paths are, so that it
 * stays the beginning of those on it, and the source as one word. Where some
 * paths below the point stay in clear there is a second line with it in clear.
 * -EBADMSG: the line is none.
 */
int weir_maskmount_write(const struct weir_mask *mask,
			 const struct weir_props_line *line,
			 struct weir_props *to);

#endif
