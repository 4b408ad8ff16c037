/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in, a file for it, and what is said of it. */
#include "kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char weir_kit_place[64];

int weir_kit_begin(void **state)
{
	strcpy(weir_kit_place, "/tmp/weir-test-XXXXXX");
	return mkdtemp(weir_kit_place) ? 0 : -1;
}

int weir_kit_end(void **state)
{
	char command[128];

	weir_backends_end();
	snprintf(command, sizeof(command), "rm -r %s", weir_kit_place);
	return system(command);
}

const char *weir_kit_path(const char *name)
{
	static char paths[4][128];
	static unsigned int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", weir_kit_place, name);
	return path;
}

int weir_kit_load(const char *name, const char *options)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/weir-backend-%s.so",
		 getenv("WEIR_TEST_BACKENDS"), name);
	return weir_backends_load(path, options);
}

int weir_kit_load_broken(const char *file, const char *options)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", getenv("WEIR_TEST_BROKEN"), file);
	return weir_backends_load(path, options);
}

void *weir_kit_open(const char *name)
{
	int fd = open(weir_kit_path(name), O_RDWR | O_CREAT, 0600);
	void *file = NULL;

	assert_true(fd >= 0);
	assert_int_equal(weir_backends_used->open(weir_backends_self, fd,
						  &file), 0);
	return file;
}

void weir_kit_close(void *file)
{
	weir_backends_used->close(weir_backends_self, file);
}

int64_t weir_kit_write(void *file, const char *text, int64_t offset)
{
	struct iovec part = {(void *)text, strlen(text)};

	return weir_backends_used->write(weir_backends_self, file, &part, 1,
					 offset);
}

int weir_kit_hear(int (*load)(const char *, const char *), const char *name,
		  const char *options, char said[512])
{
	int before = dup(2), err;
	FILE *file = tmpfile();
	size_t length;

	fflush(stderr);
	dup2(fileno(file), 2);
	err = load(name, options);
	dup2(before, 2);
	close(before);
	rewind(file);
	length = fread(said, 1, 511, file);
	said[length] = '\0';
	fclose(file);
	return err;
}
