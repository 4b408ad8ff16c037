/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what calls were given or gave back in memory into their detail. */
#ifndef WEIR_RECORD_FACTS_H
#define WEIR_RECORD_FACTS_H

#include "capture/record/encode.h"

/* One a kind of spec/kinds; the pointer is the call's, good or not. */
#define WEIR_FACTS(kind)                                                       \
	void weir_facts_##kind(struct weir_encoded *d,                         \
			       const struct weir_args *args,                   \
			       const void *pointer)

WEIR_FACTS(statfs);
WEIR_FACTS(statvfs);
WEIR_FACTS(timespecs);
WEIR_FACTS(timevals);
WEIR_FACTS(utimbuf);
WEIR_FACTS(device);   /* a dev_t */
WEIR_FACTS(target);   /* args->ret bytes of text without an end */
WEIR_FACTS(resolved); /* the text that was the result */
WEIR_FACTS(dirent);
WEIR_FACTS(dirent_at); /* a pointer to a pointer to one */
WEIR_FACTS(matches);   /* how many names a glob_t has */
WEIR_FACTS(roots);     /* the first path of a list */
WEIR_FACTS(ftsent);
WEIR_FACTS(ftschild);
WEIR_FACTS(how); /* a struct open_how */

#endif
