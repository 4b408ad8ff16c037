/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a trace while it is recorded, by what has been stored so far. */
#include "share/tracewatch.h"

#include "launch/collect/leftover.h"
#include "trace/facts/procinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void weir_tracewatch_init(struct weir_tracewatch *follow, const char *dir,
		      const char *host)
{
	*follow = (struct weir_tracewatch){ .is_open = 0 };
	snprintf(follow->host, sizeof(follow->host), "%s", host);
	if (snprintf(follow->path, PATH_MAX, "%s/%s.weir", dir, host) >=
	    PATH_MAX)
		follow->path[0] = 0; /* nothing will be there */
}

void weir_tracewatch_fini(struct weir_tracewatch *follow)
{
	if (follow->is_open) {
		close(follow->blocks.fd);
		weir_blocks_fini(&follow->blocks);
	}
	weir_bytes_fini(&follow->text);
	weir_zip_fini(&follow->zip);
}

static int open_file(struct weir_tracewatch *follow)
{
	int fd = open(follow->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	weir_blocks_init(&follow->blocks, fd);
	follow->is_open = 1;
	return 0;
}

/* Told more than once of a process that goes on: only its end counts. */
static int count_loss(struct weir_tracewatch *follow,
		      const struct weir_blocks_found *found)
{
	struct weir_procinfo info;
	int err = weir_blocks_load(follow->blocks.fd, found, &follow->zip,
				   &follow->text);

	err = err ? err
		  : weir_procinfo_parse(follow->text.data, follow->text.used,
					&info);
	if (err)
		return err == -EBADMSG ? 0 : err;
	if (strcmp(info.state, "live"))
		follow->lost += info.dropped + info.outside + info.lost;
	weir_procinfo_fini(&info);
	return 0;
}

int weir_tracewatch_look(struct weir_tracewatch *follow)
{
	struct weir_leftover_busy busy = { 0 };
	struct weir_blocks_found found;
	int more = 0, err = follow->is_open ? 0 : open_file(follow);

	while (!err && (more = weir_blocks_next(&follow->blocks, UINT64_MAX,
						&found)) > 0) {
		if (found.head.type == WEIR_BLOCK_CHUNK ||
		    found.head.type == WEIR_BLOCK_EVENTS)
			follow->calls += found.head.count;
		else if (found.head.type == WEIR_BLOCK_PROC)
			err = count_loss(follow, &found);
	}
	if (follow->is_open)
		follow->bytes = follow->blocks.at;
	weir_leftover_look(follow->path, follow->host, &busy);
	follow->processes = busy.processes;
	return err ? err : more;
}
