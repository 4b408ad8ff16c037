/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds the files of directories to a fuzz target, without libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly as many bytes as there are, so that ASan sees a read beyond. */
static uint8_t *read_file(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long size;

	if (!file)
		return NULL;
	size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
	if (size >= 0) {
		rewind(file);
		data = malloc((size_t)size + !size);
		if (data)
			*ret_size = fread(data, 1, (size_t)size, file);
	}
	fclose(file);
	return data;
}

static int replay_file(const char *path)
{
	size_t size;
	uint8_t *data = read_file(path, &size);

	if (!data) {
		perror(path);
		return 1;
	}
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

static int replay_directory(const char *path, unsigned *count)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[4096];
	int failed = 0;

	if (!dir) {
		perror(path);
		return 1;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		failed |= replay_file(name);
		++*count;
	}
	closedir(dir);
	return failed;
}

int main(int argc, char **argv)
{
	unsigned count = 0;
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay_directory(argv[i], &count);
	printf("%u inputs replayed\n", count);
	return failed || !count;
}
