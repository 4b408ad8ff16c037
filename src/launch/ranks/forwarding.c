/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells programs of the service that their files are forwarded to. */
#include "launch/ranks/forwarding.h"

#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "WEIR_FORWARD"
#define BOOT_ID	 36

static bool read_boot_id(char ret_id[BOOT_ID + 1])
{
	return weir_whole_load("/proc/sys/kernel/random/boot_id", ret_id,
			       BOOT_ID + 1) == BOOT_ID;
}

char *weir_forwarding_text(const char *place, const char *prefixes)
{
	char id[BOOT_ID + 1], *text;

	if (!read_boot_id(id) ||
	    asprintf(&text, "%s|%s|%s", place, id, prefixes) < 0)
		return NULL;
	return text;
}

/* The service that it names runs on this host, since its last start. */
static bool is_here(const char *text)
{
	const char *theirs = strchr(text, '|');
	char id[BOOT_ID + 1];

	return theirs && read_boot_id(id) &&
	       !strncmp(theirs + 1, id, BOOT_ID) &&
	       theirs[BOOT_ID + 1] == '|';
}

int weir_forwarding_export(const char *text)
{
	return setenv(VARIABLE, text, 1) ? -errno : 0;
}

const char *weir_forwarding_inherited(void)
{
	const char *text = getenv(VARIABLE);

	return text && is_here(text) ? text : NULL;
}

int weir_forwarding_enter(const char *command, const char *text)
{
	char host[64] = "this host";

	if (is_here(text))
		return weir_forwarding_export(text);
	gethostname(host, sizeof(host) - 1);
	fprintf(stderr, "weir: cannot run %s on %s: the service that its files "
		"are forwarded to is on another host, and what one host has "
		"not stored yet the others cannot see; run all ranks on one "
		"host, or without --forward\n", command, host);
	return -EHOSTUNREACH;
}
