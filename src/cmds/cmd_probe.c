/* SPDX-License-Identifier: BSD-3-Clause */
/* weir probe: writes a file and ends, to be recorded by weir doctor. */
#include "base/options.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int weir_cmd_probe(int argc, char **argv)
{
	static const char line[] = "weir\n";
	struct weir_options o;
	int status, fd;

	if (!weir_options_start(&o, &weir_verbs[WEIR_VERB_PROBE], argc, argv,
				&status))
		return status;
	fd = open(o.operands[0], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line, sizeof(line) - 1) < 0) {
		perror(o.operands[0]);
		status = WEIR_EXIT_INTERNAL;
	} else {
		status = close(fd) ? WEIR_EXIT_INTERNAL : 0;
	}
	weir_options_fini(&o);
	return status;
}
