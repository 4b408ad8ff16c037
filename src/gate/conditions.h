/* SPDX-License-Identifier: BSD-3-Clause */
/* Says when a variable argument is there: words after `if` in the tables. */
#ifndef WEIR_GATE_CONDITIONS_H
#define WEIR_GATE_CONDITIONS_H

#include <stdbool.h>

#define WEIR_CONDITIONS_O_CREAT   0100
#define WEIR_CONDITIONS_O_TMPFILE 020000000

#define WEIR_CONDITIONS_F_GETFD	     1
#define WEIR_CONDITIONS_F_GETFL	     3
#define WEIR_CONDITIONS_F_GETOWN     9
#define WEIR_CONDITIONS_F_GETSIG     11
#define WEIR_CONDITIONS_F_GETLEASE   1025
#define WEIR_CONDITIONS_F_GETPIPE_SZ 1032
#define WEIR_CONDITIONS_F_GET_SEALS  1034

static inline bool creates(int flags)
{
	return flags & (WEIR_CONDITIONS_O_CREAT | WEIR_CONDITIONS_O_TMPFILE);
}

/* Not knowable from the other arguments: pass on whatever is there. */
static inline bool any(int unused)
{
	return true;
}

/* fcntl: these only ask; for them there is nothing behind the command. */
static inline bool takes(int cmd)
{
	switch (cmd) {
	case WEIR_CONDITIONS_F_GETFD:
	case WEIR_CONDITIONS_F_GETFL:
	case WEIR_CONDITIONS_F_GETOWN:
	case WEIR_CONDITIONS_F_GETSIG:
	case WEIR_CONDITIONS_F_GETLEASE:
	case WEIR_CONDITIONS_F_GETPIPE_SZ:
	case WEIR_CONDITIONS_F_GET_SEALS:
		return false;
	}
	return true;
}

#endif
