/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps once what the files of a trace have in common. */
#ifndef WEIR_READ_READSHELF_H
#define WEIR_READ_READSHELF_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/zip.h"
#include "trace/event/dictionary.h"
#include "trace/event/names.h"

#include <stdint.h>

/*
 * Squeezed names may be a thousand times longer than the file that has them: a
 * reader keeps no more than this of them.
 */
#define WEIR_READSHELF_NAMES (UINT64_C(192) << 20)

/* Zero it to begin. */
struct weir_readshelf {
	struct weir_names names;
	struct weir_zip zip;
	struct weir_readshelf_book *books;
	uint32_t book_count;
};

void weir_readshelf_fini(struct weir_readshelf *shelf);

/* The dictionary of a text, made when it is new; borrowed. */
int weir_readshelf_dictionary(struct weir_readshelf *shelf,
			      const struct weir_bytes *text,
			      const struct weir_dictionary **ret_dictionary);

#endif
