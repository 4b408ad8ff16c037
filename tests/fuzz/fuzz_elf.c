/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds the readers of programs and of the loader's cache any bytes. */
#include "launch/programs/elf.h"
#include "launch/programs/ldcache.h"
#include "target.h"

static void must_end(const char *text, size_t room)
{
	if (strnlen(text, room) == room)
		abort();
}

static void read_texts(const struct weir_elf *elf)
{
	static const int64_t tags[] = {DT_NEEDED, DT_SONAME, DT_RUNPATH};
	char text[64];

	for (unsigned i = 0; i < 3 * 4; i++) {
		if (!weir_elf_text(elf, tags[i / 4], i % 4, text,
				   sizeof(text)))
			must_end(text, sizeof(text));
	}
	if (!weir_elf_loader(elf, text, sizeof(text)))
		must_end(text, sizeof(text));
	weir_elf_architecture(elf, text);
	must_end(text, 32);
}

static void read_elf(int fd)
{
	struct weir_elf elf;
	char note[64];
	int length;

	if (weir_elf_read(fd, &elf))
		return;
	weir_elf_is_ours(&elf);
	read_texts(&elf);
	length = weir_elf_note(&elf, "Go", 4, note, sizeof(note));
	if (length >= (int)sizeof(note) || (length >= 0 && note[length]))
		abort();
	weir_elf_has_section(&elf, ".note.go.buildid");
	if (weir_elf_newest_glibc(&elf, DT_VERNEED) == -1 ||
	    weir_elf_newest_glibc(&elf, DT_VERDEF) == -1)
		abort();
}

static void read_cache(const uint8_t *data, size_t size)
{
	struct weir_ldcache cache = {malloc(size + 1), size};
	const char *path;

	if (!cache.bytes)
		return;
	memcpy(cache.bytes, data, size);
	cache.bytes[size] = '\0';
	for (unsigned n = 0; n < 4; n++) {
		path = weir_ldcache_find(&cache, "libc.so.6", n);
		if (path && path + strlen(path) > cache.bytes + size)
			abort();
	}
	weir_ldcache_close(&cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	read_elf(memory_file(data, size));
	read_cache(data, size);
	return 0;
}

/* Of the head of a program; its tables are numbers of the same sizes. */
static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(Elf64_Ehdr, e_type),
	FUZZ_NUMBER(Elf64_Ehdr, e_machine),
	FUZZ_NUMBER(Elf64_Ehdr, e_phoff),
	FUZZ_NUMBER(Elf64_Ehdr, e_shoff),
	FUZZ_NUMBER(Elf64_Ehdr, e_phentsize),
	FUZZ_NUMBER(Elf64_Ehdr, e_phnum),
	FUZZ_NUMBER(Elf64_Ehdr, e_shentsize),
	FUZZ_NUMBER(Elf64_Ehdr, e_shnum),
	FUZZ_NUMBER(Elf64_Ehdr, e_shstrndx),
	{ 0, 0 },
};

static void repair(uint8_t *bytes, size_t size)
{
	static const char cache[] = "glibc-ld.so.cache1.1";

	if (size > sizeof(Elf64_Ehdr) && bytes[0] != 'g')
		memcpy(bytes, ELFMAG "\2\1\1", SELFMAG + 3);
	else if (size > sizeof(cache))
		memcpy(bytes, cache, sizeof(cache) - 1);
}

const struct fuzz_shape fuzz_shape = {
	.head = sizeof(Elf64_Ehdr),
	.numbers = numbers,
	.repair = repair,
};
