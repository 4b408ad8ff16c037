/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a program did with HDF5, for run-hdf5.py to compare. */
#include "tell.h"

#include <stdio.h>
#include <stdlib.h>

static _Thread_local FILE *list;

void tell_start(const char *path)
{
	list = fopen(path, "w");
	if (!list) {
		perror(path);
		exit(1);
	}
}

void tell_end(void)
{
	fclose(list);
}

static void put_line(const char *call, const char *file, long bytes,
		     const char *args, int failed)
{
	fprintf(list, "{\"call\":\"%s\",\"file\":", call);
	if (file)
		fprintf(list, "\"%s\"", file);
	else
		fprintf(list, "null");
	fprintf(list, ",\"size\":%ld,\"failed\":%s,\"args\":{%s}}\n", bytes,
		failed ? "true" : "false", args ? args : "");
}

void tell(const char *call, const char *file, long bytes, const char *args)
{
	put_line(call, file, bytes, args, 0);
}

void tell_failed(const char *call, const char *file)
{
	put_line(call, file, 0, NULL, 1);
}
