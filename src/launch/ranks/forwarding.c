/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs are told of the service that their files are forwarded to. */
#include "launch/ranks/forwarding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "WEIR_FORWARD"
#define BOOT_ID	 36

static bool read_boot_id(char ret_id[BOOT_ID + 1])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, ret_id, BOOT_ID);

	if (fd >= 0)
		close(fd);
	ret_id[got < 0 ? 0 : got] = '\0';
	return got == BOOT_ID;
}

char *weir_forwarding_text(const char *place, const char *prefixes)
{
	char id[BOOT_ID + 1], *text;

	if (!read_boot_id(id) ||
	    asprintf(&text, "%s|%s|%s", place, id, prefixes) < 0)
		return NULL;
	return text;
}

bool weir_forwarding_is_here(const char *text)
{
	const char *theirs = strchr(text, '|');
	char id[BOOT_ID + 1];

	return theirs && read_boot_id(id) &&
	       !strncmp(theirs + 1, id, BOOT_ID) &&
	       theirs[BOOT_ID + 1] == '|';
}

char *weir_forwarding_place(const char *text)
{
	return strndup(text, strcspn(text, "|"));
}

int weir_forwarding_export(const char *text)
{
	return setenv(VARIABLE, text, 1) ? -errno : 0;
}

const char *weir_forwarding_inherited(void)
{
	const char *text = getenv(VARIABLE);

	return text && weir_forwarding_is_here(text) ? text : NULL;
}

int weir_forwarding_enter(const char *command, const char *text)
{
	char host[64] = "this host";

	if (weir_forwarding_is_here(text))
		return weir_forwarding_export(text);
	gethostname(host, sizeof(host) - 1);
	fprintf(stderr, "weir: cannot run %s on %s: the service that its files "
		"are forwarded to is on another host, and what one host has "
		"not stored yet the others cannot see; run all ranks on one "
		"host, or without --forward\n", command, host);
	return -EHOSTUNREACH;
}
