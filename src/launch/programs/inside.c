/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds libraries that are linked into a program's own file. */
#include "launch/programs/inside.h"

#include "launch/programs/elf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SECTIONS 4096
#define MOST_BYTES    (UINT64_C(256) << 20) /* of a table */

/* A function that every copy of a library has. */
static const struct {
	const char *object; /* as in spec/objects */
	const char *symbol;
} signs[] = {
	{ "mpi", "MPI_File_open" },
	{ "hdf5", "H5Fopen" },
	{ "pnetcdf", "ncmpi_open" },
};

#define SIGNS (sizeof(signs) / sizeof(*signs))

static weir_preloads_set set_of(const char *object)
{
	for (unsigned i = 0; weir_preloads[i].name; i++)
		if (!strcmp(weir_preloads[i].name, object))
			return 1u << i;
	return 0;
}

/* The bytes of a section, to be freed; NULL: it is not as it says. */
static void *read_table(int fd, const Elf64_Shdr *section)
{
	char *bytes;

	if (section->sh_size > MOST_BYTES || section->sh_offset > INT64_MAX)
		return NULL;
	bytes = malloc(section->sh_size + 1);
	if (bytes && pread(fd, bytes, section->sh_size,
			   (off_t)section->sh_offset) !=
			     (ssize_t)section->sh_size) {
		free(bytes);
		return NULL;
	}
	if (bytes)
		bytes[section->sh_size] = '\0';
	return bytes;
}

static weir_preloads_set known_as(const char *name)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (!strcmp(signs[i].symbol, name))
			return set_of(signs[i].object);
	return 0;
}

/* What symbols say that are defined here, not only wanted. */
static weir_preloads_set look_through(int fd, const Elf64_Shdr *section,
				      const Elf64_Shdr *strings)
{
	Elf64_Sym *symbols = read_table(fd, section);
	char *names = read_table(fd, strings);
	size_t count = symbols && names ? section->sh_size / sizeof(*symbols)
					: 0;
	weir_preloads_set found = 0;

	for (size_t i = 0; i < count; i++)
		if (symbols[i].st_shndx != SHN_UNDEF &&
		    symbols[i].st_name < strings->sh_size)
			found |= known_as(names + symbols[i].st_name);
	free(symbols);
	free(names);
	return found;
}

static weir_preloads_set look_into(int fd)
{
	struct weir_elf elf;
	uint32_t count;
	Elf64_Shdr *sections;
	weir_preloads_set found = 0;

	if (weir_elf_read(fd, &elf) || !elf.is_64 ||
	    elf.head.e_shentsize != sizeof(*sections))
		return 0;
	count = elf.head.e_shnum < MOST_SECTIONS ? elf.head.e_shnum : 0;
	sections = read_table(fd, &(Elf64_Shdr){
		.sh_offset = elf.head.e_shoff,
		.sh_size = count * sizeof(*sections) });
	for (uint32_t i = 0; sections && i < count; i++)
		if ((sections[i].sh_type == SHT_SYMTAB ||
		     sections[i].sh_type == SHT_DYNSYM) &&
		    sections[i].sh_link < count)
			found |= look_through(fd, &sections[i],
					      &sections[sections[i].sh_link]);
	free(sections);
	return found;
}

weir_preloads_set weir_inside_find(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	weir_preloads_set found = fd < 0 ? 0 : look_into(fd);

	if (fd >= 0)
		close(fd);
	return found;
}
