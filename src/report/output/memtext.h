/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text into memory. */
#ifndef WEIR_OUTPUT_MEMTEXT_H
#define WEIR_OUTPUT_MEMTEXT_H

#include "base/text.h"
#include "trace/bytes/bytes.h"

struct weir_memtext {
	struct weir_text out;
	int fd;
};

/* 0 or -errno; wants weir_memtext_fini after success. */
int weir_memtext_init(struct weir_memtext *text);
void weir_memtext_fini(struct weir_memtext *text);

/* Appends all that was written to `to`, and forgets it. 0 or -errno. */
int weir_memtext_take(struct weir_memtext *text, struct weir_bytes *to);

#endif
