/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the files of directories to a fuzz target, without libFuzzer: as they
 * are, and each with a few changes by the target's own mutator.
 */
#include "target.h"

#include <dirent.h>
#include <stdio.h>

#define CHANGES 4  /* of each file */
#define GROWTH	64 /* bytes that a change may add */

/* What libFuzzer would do, in short: one byte is another one, always alike. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	uint32_t turn = (uint32_t)size;

	for (size_t i = 0; i < size; i++)
		turn = turn * 1103515245u + data[i];
	if (size < max_size && turn % 4 == 0)
		data[size++] = 0;
	if (size)
		data[(turn >> 8) % size] ^= (uint8_t)(1u << (turn >> 4) % 8);
	return size;
}

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

static void replay_changed(const uint8_t *data, size_t size, unsigned seed)
{
	uint8_t *room = malloc(size + GROWTH), *exact;

	must(!!room);
	memcpy(room, data, size);
	size = LLVMFuzzerCustomMutator(room, size, size + GROWTH, seed);
	exact = malloc(size + !size);
	must(!!exact);
	memcpy(exact, room, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	free(room);
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
	for (unsigned i = 0; i < CHANGES; i++)
		replay_changed(data, size, (unsigned)size * CHANGES + i);
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
