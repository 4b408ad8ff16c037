/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an ELF file as far as it tells how a program is recorded. */
#ifndef WEIR_PROGRAMS_ELF_H
#define WEIR_PROGRAMS_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_ELF_PARTS	 64
#define WEIR_ELF_DYNAMIC 512

/*
 * Nothing in the file is trusted: what is not where the file says is as if
 * it were not there at all.
 */
struct weir_elf {
	int fd; /* borrowed */
	Elf64_Ehdr head;
	bool is_64; /* else no more than the head's first words is known */
	uint32_t part_count, dynamic_count;
	Elf64_Phdr parts[WEIR_ELF_PARTS];
	Elf64_Dyn dynamic[WEIR_ELF_DYNAMIC];
};

/* -ENOEXEC: it is no ELF file. */
int weir_elf_read(int fd, struct weir_elf *ret_elf);

/* Of this machine: what the loader that loaded us can load. */
bool weir_elf_is_ours(const struct weir_elf *elf);

/* "x86-64", "aarch64", "32-bit x86" …; a number when it has no name here. */
void weir_elf_architecture(const struct weir_elf *elf, char to[32]);

const Elf64_Phdr *weir_elf_part(const struct weir_elf *elf, uint32_t type);

/* The file's dynamic loader; -ENOENT: it has none. */
int weir_elf_loader(const struct weir_elf *elf, char *to, size_t room);

/* The n-th (from 0) text of DT_NEEDED, DT_SONAME …; -ENOENT after the last. */
int weir_elf_text(const struct weir_elf *elf, int64_t tag, unsigned n, char *to,
		  size_t room);

/* A note's content, ended by a NUL; its length, or -ENOENT. */
int weir_elf_note(const struct weir_elf *elf, const char *name, uint32_t type,
		  char *to, size_t room);

bool weir_elf_has_section(const struct weir_elf *elf, const char *name);

/*
 * The newest version GLIBC_2.n that the file needs (DT_VERNEED) or gives
 * (DT_VERDEF): n; -ENOENT when it speaks of none.
 */
int weir_elf_newest_glibc(const struct weir_elf *elf, int64_t tag);

#endif
