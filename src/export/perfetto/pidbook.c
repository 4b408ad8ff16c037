/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives processes and threads numbers that are unique in a trace. */
#include "export/perfetto/pidbook.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_FREE (1u << 23) /* the kernel's numbers are below 2^22 */

/* The number itself, or when it is used or none, a new one. */
static int take_pid(struct weir_pidbook *book, uint32_t wanted,
		    uint32_t *ret_got)
{
	if (!wanted || wanted > INT32_MAX ||
	    weir_map_get(&book->used, wanted))
		wanted = FIRST_FREE + book->next++;
	*ret_got = wanted;
	return weir_map_put(&book->used, wanted, 1);
}

int weir_pidbook_init(struct weir_pidbook *book,
		      const struct weir_reader *reader)
{
	int err = 0;

	book->count = weir_reader_processes(reader);
	book->pids = calloc((size_t)book->count + 1, sizeof(*book->pids));
	if (!book->pids)
		return -ENOMEM;
	for (uint32_t i = 1; !err && i <= book->count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		err = take_pid(book, process ? process->pid : 0,
			       &book->pids[i]);
	}
	return err;
}

void weir_pidbook_fini(struct weir_pidbook *book)
{
	weir_map_fini(&book->used);
	free(book->pids);
}

uint32_t weir_pidbook_process(const struct weir_pidbook *book, uint32_t proc)
{
	return proc <= book->count ? book->pids[proc] : 0;
}

int weir_pidbook_thread(struct weir_pidbook *book,
			const struct weir_procinfo *process, uint32_t proc,
			uint32_t thread, uint32_t *ret_tid)
{
	const struct weir_procinfo_thread *told =
		process ? weir_procinfo_find(process, thread) : NULL;

	if (told && told->tid == process->pid) {
		*ret_tid = weir_pidbook_process(book, proc);
		return 0;
	}
	return take_pid(book, told ? told->tid : 0, ret_tid);
}
