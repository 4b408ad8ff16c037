/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an ELF file as far as it tells how a program is recorded. */
#include "launch/programs/elf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#elif defined(__s390x__)
#define OUR_MACHINE EM_S390
#else
#define OUR_MACHINE EM_NONE
#endif

#define MAX_SECTIONS 4096
#define MAX_VERSIONS 4096
#define MAX_NOTES    1024
#define NOTE_BYTES   (1u << 20) /* of a file's notes that are looked at */

/* All of it, or nothing. */
static bool read_at(const struct weir_elf *elf, uint64_t at, void *to,
		    size_t bytes)
{
	return at <= INT64_MAX &&
	       pread(elf->fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static int read_text(const struct weir_elf *elf, uint64_t at, char *to,
		     size_t room)
{
	ssize_t got = at <= INT64_MAX ?
			      pread(elf->fd, to, room, (off_t)at) : -1;

	if (got <= 0 || !memchr(to, 0, (size_t)got))
		return -EBADMSG;
	return 0;
}

const Elf64_Phdr *weir_elf_part(const struct weir_elf *elf, uint32_t type)
{
	for (uint32_t i = 0; i < elf->part_count; i++) {
		if (elf->parts[i].p_type == type)
			return &elf->parts[i];
	}
	return NULL;
}

static void read_dynamic(struct weir_elf *elf)
{
	const Elf64_Phdr *part = weir_elf_part(elf, PT_DYNAMIC);
	uint64_t count = part ? part->p_filesz / sizeof(Elf64_Dyn) : 0;

	if (count > WEIR_ELF_DYNAMIC)
		count = WEIR_ELF_DYNAMIC;
	if (count && read_at(elf, part->p_offset, elf->dynamic,
			     (size_t)count * sizeof(Elf64_Dyn)))
		elf->dynamic_count = (uint32_t)count;
}

int weir_elf_read(int fd, struct weir_elf *ret_elf)
{
	struct weir_elf *elf = ret_elf;
	ssize_t got;

	memset(elf, 0, sizeof(*elf));
	elf->fd = fd;
	got = pread(fd, &elf->head, sizeof(elf->head), 0);
	if (got < (ssize_t)sizeof(Elf32_Ehdr) ||
	    memcmp(elf->head.e_ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	elf->is_64 = elf->head.e_ident[EI_CLASS] == ELFCLASS64 &&
		     elf->head.e_ident[EI_DATA] == ELFDATA2LSB &&
		     got == (ssize_t)sizeof(elf->head);
	if (!elf->is_64 || elf->head.e_phnum > WEIR_ELF_PARTS ||
	    elf->head.e_phentsize != sizeof(Elf64_Phdr))
		return 0;
	if (read_at(elf, elf->head.e_phoff, elf->parts,
		    elf->head.e_phnum * sizeof(Elf64_Phdr)))
		elf->part_count = elf->head.e_phnum;
	read_dynamic(elf);
	return 0;
}

bool weir_elf_is_ours(const struct weir_elf *elf)
{
	return elf->is_64 && elf->head.e_machine == OUR_MACHINE;
}

void weir_elf_architecture(const struct weir_elf *elf, char to[32])
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"},
		{EM_386, "x86"},       {EM_ARM, "ARM"},
		{EM_RISCV, "RISC-V"},  {EM_PPC64, "POWER"},
		{EM_S390, "S/390"},    {EM_MIPS, "MIPS"},
	};
	const char *bits = elf->head.e_ident[EI_CLASS] == ELFCLASS32 ?
				   "32-bit " : "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].machine == elf->head.e_machine) {
			snprintf(to, 32, "%s%s", bits, names[i].name);
			return;
		}
	}
	snprintf(to, 32, "%smachine %u", bits, elf->head.e_machine);
}

int weir_elf_loader(const struct weir_elf *elf, char *to, size_t room)
{
	const Elf64_Phdr *part = weir_elf_part(elf, PT_INTERP);

	if (!part)
		return -ENOENT;
	return read_text(elf, part->p_offset, to, room);
}

/* Where in the file an address of the loaded program comes from; 0: nowhere. */
static uint64_t offset_of(const struct weir_elf *elf, uint64_t address)
{
	for (uint32_t i = 0; i < elf->part_count; i++) {
		const Elf64_Phdr *part = &elf->parts[i];

		if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
		    address - part->p_vaddr < part->p_filesz)
			return address - part->p_vaddr + part->p_offset;
	}
	return 0;
}

static const Elf64_Dyn *find_entry(const struct weir_elf *elf, int64_t tag,
				   unsigned n)
{
	for (uint32_t i = 0; i < elf->dynamic_count; i++) {
		if (elf->dynamic[i].d_tag == DT_NULL)
			return NULL;
		if (elf->dynamic[i].d_tag == tag && !n--)
			return &elf->dynamic[i];
	}
	return NULL;
}

static uint64_t find_table(const struct weir_elf *elf, int64_t tag)
{
	const Elf64_Dyn *entry = find_entry(elf, tag, 0);

	return entry ? offset_of(elf, entry->d_un.d_ptr) : 0;
}

int weir_elf_text(const struct weir_elf *elf, int64_t tag, unsigned n, char *to,
		  size_t room)
{
	const Elf64_Dyn *entry = find_entry(elf, tag, n);
	uint64_t strings = find_table(elf, DT_STRTAB);

	if (!entry)
		return -ENOENT;
	if (!strings)
		return -EBADMSG;
	return read_text(elf, strings + entry->d_un.d_val, to, room);
}

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 3) & ~UINT64_C(3);
}

struct wanted {
	const char *name;
	uint32_t type;
	char *to;
	size_t room;
};

/* The length of the note at `at` if it is the wanted one, else -ENOENT. */
static int take_note(const struct weir_elf *elf, uint64_t at,
		     const Elf64_Nhdr *note, const struct wanted *wanted)
{
	size_t length = strlen(wanted->name) + 1;
	char name[16];

	/* Go counts the padding of its name as a part of it. */
	if (note->n_type != wanted->type || note->n_namesz < length ||
	    note->n_namesz > padded(length) || length > sizeof(name) ||
	    note->n_descsz >= wanted->room ||
	    !read_at(elf, at + sizeof(*note), name, length) ||
	    memcmp(name, wanted->name, length) ||
	    !read_at(elf, at + sizeof(*note) + padded(length), wanted->to,
		     note->n_descsz))
		return -ENOENT;
	wanted->to[note->n_descsz] = '\0';
	return (int)note->n_descsz;
}

static int look_through(const struct weir_elf *elf, const Elf64_Phdr *part,
			const struct wanted *wanted)
{
	uint64_t size = part->p_filesz < NOTE_BYTES ? part->p_filesz
						    : NOTE_BYTES;
	int length = -ENOENT;
	Elf64_Nhdr note;

	for (uint64_t used = 0, n = 0;
	     length < 0 && n < MAX_NOTES && used + sizeof(note) <= size; n++) {
		if (!read_at(elf, part->p_offset + used, &note, sizeof(note)))
			break;
		length = take_note(elf, part->p_offset + used, &note, wanted);
		used += sizeof(note) + padded(note.n_namesz) +
			padded(note.n_descsz);
	}
	return length;
}

int weir_elf_note(const struct weir_elf *elf, const char *name, uint32_t type,
		  char *to, size_t room)
{
	struct wanted wanted = {name, type, to, room};
	int length = -ENOENT;

	for (uint32_t i = 0; length < 0 && i < elf->part_count; i++) {
		if (elf->parts[i].p_type == PT_NOTE)
			length = look_through(elf, &elf->parts[i], &wanted);
	}
	return length;
}

static bool read_section(const struct weir_elf *elf, uint32_t i,
			 Elf64_Shdr *section)
{
	return read_at(elf, elf->head.e_shoff + (uint64_t)i * sizeof(*section),
		       section, sizeof(*section));
}

bool weir_elf_has_section(const struct weir_elf *elf, const char *name)
{
	uint32_t count = elf->head.e_shnum;
	Elf64_Shdr names, section;
	char text[64];

	if (!elf->is_64 || elf->head.e_shentsize != sizeof(section) ||
	    count > MAX_SECTIONS ||
	    !read_section(elf, elf->head.e_shstrndx, &names))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!read_section(elf, i, &section))
			return false;
		memset(text, 0, sizeof(text)); /* what is cut is no match */
		read_text(elf, names.sh_offset + section.sh_name, text,
			  sizeof(text));
		if (!strncmp(text, name, sizeof(text)))
			return true;
	}
	return false;
}

static void raise_version(const struct weir_elf *elf, uint64_t name,
			  int *newest)
{
	static const char prefix[] = "GLIBC_2.";
	char text[32];
	int minor;

	if (read_text(elf, find_table(elf, DT_STRTAB) + name, text,
		      sizeof(text)) ||
	    strncmp(text, prefix, sizeof(prefix) - 1))
		return;
	minor = atoi(text + sizeof(prefix) - 1);
	if (minor > *newest)
		*newest = minor;
}

/* What one file is needed for; what is weak may be missing. */
static void walk_needs(const struct weir_elf *elf, uint64_t at, unsigned count,
		       int *newest)
{
	Elf64_Vernaux aux;

	for (unsigned i = 0; i < count; i++) {
		if (!read_at(elf, at, &aux, sizeof(aux)))
			return;
		if (!(aux.vna_flags & VER_FLG_WEAK))
			raise_version(elf, aux.vna_name, newest);
		if (!aux.vna_next)
			return;
		at += aux.vna_next;
	}
}

static void find_needed(const struct weir_elf *elf, uint64_t at, int *newest)
{
	Elf64_Verneed need;

	for (int i = 0; i < MAX_VERSIONS / 16; i++) {
		if (!read_at(elf, at, &need, sizeof(need)))
			return;
		walk_needs(elf, at + need.vn_aux,
			   need.vn_cnt < MAX_VERSIONS ? need.vn_cnt : 0,
			   newest);
		if (!need.vn_next)
			return;
		at += need.vn_next;
	}
}

static void find_given(const struct weir_elf *elf, uint64_t at, int *newest)
{
	Elf64_Verdaux aux;
	Elf64_Verdef def;

	for (int i = 0; i < MAX_VERSIONS; i++) {
		if (!read_at(elf, at, &def, sizeof(def)) ||
		    !read_at(elf, at + def.vd_aux, &aux, sizeof(aux)))
			return;
		raise_version(elf, aux.vda_name, newest);
		if (!def.vd_next)
			return;
		at += def.vd_next;
	}
}

int weir_elf_newest_glibc(const struct weir_elf *elf, int64_t tag)
{
	uint64_t at = find_table(elf, tag);
	int newest = -1;

	if (at && tag == DT_VERNEED)
		find_needed(elf, at, &newest);
	else if (at)
		find_given(elf, at, &newest);
	return newest < 0 ? -ENOENT : newest;
}
