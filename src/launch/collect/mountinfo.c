/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's table of what is mounted here. */
#include "launch/collect/mountinfo.h"

#include "trace/facts/mounts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No data lies there. */
static bool is_pseudo(const char *type)
{
	static const char *const types[] = {
		"proc",	      "sysfs",	"cgroup",     "cgroup2",
		"devpts",     "debugfs", "securityfs", "tracefs",
		"mqueue",     "bpf",	"hugetlbfs",  "nsfs",
		"configfs",   "pstore",	"efivarfs",   "binfmt_misc",
		"rpc_pipefs", "selinuxfs", "fusectl"};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

/*
 * Without the first of them, /proc, its files would seem to lie on the disk
 * below; without those on /proc/…, they still lie on something like it.
 */
static bool is_needless(const struct weir_mounts *mounts,
			const struct weir_mount *mount)
{
	if (!is_pseudo(mount->type))
		return false;
	for (uint32_t i = 0; i < mounts->count; i++) {
		const struct weir_mount *other = &mounts->list[i];
		size_t len = strlen(other->point);

		if (is_pseudo(other->type) &&
		    !strncmp(mount->point, other->point, len) &&
		    mount->point[len] == '/')
			return true;
	}
	return false;
}

/* The word at *at, terminated; behind the last one there are empty ones. */
static char *take_word(char **at)
{
	char *word = *at, *end = word + strcspn(word, " \n");

	*at = *end ? end + 1 : end;
	*end = 0;
	weir_mounts_unescape(word);
	return word;
}

int weir_mountinfo_take(struct weir_mounts *mounts, char *line)
{
	struct weir_mount mount = {NULL, NULL, NULL};
	const char *word = NULL;

	/* Number, parent, device, root, point, options, any more, "-" */
	for (int i = 0; *line; i++) {
		word = take_word(&line);
		if (i == 4)
			mount.point = word;
		if (i > 5 && !strcmp(word, "-"))
			break;
	}
	mount.type = take_word(&line);
	mount.source = take_word(&line);
	if (!mount.point || *mount.point != '/' || !*mount.type ||
	    is_needless(mounts, &mount))
		return 0;
	return weir_mounts_add(mounts, &mount);
}

int weir_mountinfo_look(struct weir_mounts *mounts)
{
	FILE *table = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!table)
		return -errno;
	mounts->untold = 0; /* those are met once more */
	while (!err && getline(&line, &room, table) >= 0)
		err = weir_mountinfo_take(mounts, line);
	free(line);
	fclose(table);
	return err;
}
