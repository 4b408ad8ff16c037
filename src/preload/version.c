/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the library's version as a note, readable without loading it. */
#include <stdint.h>

#define NAME "weir"

/* A tool that finds a library of another version says so: weir doctor. */
__attribute__((section(".note.weir"), used, aligned(4))) static const struct {
	uint32_t name_bytes, text_bytes, type;
	char name[(sizeof(NAME) + 3) & ~3u];
	char text[(sizeof(WEIR_VERSION) + 3) & ~3u];
} note = {sizeof(NAME), sizeof(WEIR_VERSION), 1, NAME, WEIR_VERSION};
