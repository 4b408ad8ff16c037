/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program can be recorded, told from its file. */
#include "launch/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_NONE
#endif

#define MAX_HEADERS 64
#define MAX_DYNAMIC 512

static int find_command(const char *command, char path[PATH_MAX])
{
	const char *list = getenv("PATH");

	if (strchr(command, '/')) {
		snprintf(path, PATH_MAX, "%s", command);
		return access(path, X_OK) ? -errno : 0;
	}
	for (list = list ? list : "/bin:/usr/bin"; list;) {
		int length = (int)strcspn(list, ":");
		struct stat st;

		snprintf(path, PATH_MAX, "%.*s/%s", length ? length : 1,
			 length ? list : ".", command);
		if (!access(path, X_OK) && !stat(path, &st) &&
		    S_ISREG(st.st_mode))
			return 0;
		list = list[length] ? list + length + 1 : NULL;
	}
	return -ENOENT;
}

/* 1 and the interpreter's path when the file begins with `#!`. */
static int read_interpreter(int fd, char path[PATH_MAX])
{
	char line[256];
	ssize_t length = pread(fd, line, sizeof(line) - 1, 0);
	char *at;

	if (length < 2 || memcmp(line, "#!", 2))
		return 0;
	line[length] = '\0';
	at = line + 2 + strspn(line + 2, " \t");
	at[strcspn(at, " \t\n")] = '\0';
	snprintf(path, PATH_MAX, "%s", at);
	return 1;
}

struct elf {
	int fd;
	Elf64_Ehdr head;
	Elf64_Phdr parts[MAX_HEADERS];
	int count;
};

static const Elf64_Phdr *find_part(const struct elf *elf, uint32_t type)
{
	for (int i = 0; i < elf->count; i++) {
		if (elf->parts[i].p_type == type)
			return &elf->parts[i];
	}
	return NULL;
}

static int read_elf(struct elf *elf)
{
	ssize_t bytes;

	if (pread(elf->fd, &elf->head, sizeof(elf->head), 0) !=
		    (ssize_t)sizeof(elf->head) ||
	    memcmp(elf->head.e_ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	elf->count = elf->head.e_phnum;
	if (elf->count > MAX_HEADERS ||
	    elf->head.e_phentsize != sizeof(Elf64_Phdr))
		elf->count = 0;
	bytes = (ssize_t)((size_t)elf->count * sizeof(Elf64_Phdr));
	if (pread(elf->fd, elf->parts, (size_t)bytes,
		  (off_t)elf->head.e_phoff) != bytes)
		return -ENOEXEC;
	return 0;
}

/* Where in the file an address of the loaded program comes from. */
static uint64_t offset_of(const struct elf *elf, uint64_t address)
{
	for (int i = 0; i < elf->count; i++) {
		const Elf64_Phdr *part = &elf->parts[i];

		if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
		    address - part->p_vaddr < part->p_filesz)
			return address - part->p_vaddr + part->p_offset;
	}
	return 0;
}

/*
 * The address sanitizer refuses to run behind another preloaded library, so
 * a program that needs it gets it first.
 */
static void find_sanitizer(const struct elf *elf, char name[64])
{
	const Elf64_Phdr *part = find_part(elf, PT_DYNAMIC);
	Elf64_Dyn entries[MAX_DYNAMIC];
	uint64_t strings = 0;
	char needed[64];
	ssize_t got;
	int count;

	if (!part)
		return;
	got = pread(elf->fd, entries,
		    part->p_filesz < sizeof(entries) ? part->p_filesz
						     : sizeof(entries),
		    (off_t)part->p_offset);
	count = got < 0 ? 0 : (int)((size_t)got / sizeof(entries[0]));
	for (int i = 0; i < count; i++) {
		if (entries[i].d_tag == DT_STRTAB)
			strings = offset_of(elf, entries[i].d_un.d_ptr);
	}
	for (int i = 0; strings && i < count; i++) {
		if (entries[i].d_tag != DT_NEEDED)
			continue;
		got = pread(elf->fd, needed, sizeof(needed) - 1,
			    (off_t)(strings + entries[i].d_un.d_val));
		needed[got < 0 ? 0 : got] = '\0';
		if (!strncmp(needed, "libasan.so", 10))
			snprintf(name, 64, "%s", needed);
	}
}

static void look_at_file(int fd, struct weir_program *program)
{
	struct stat st;

	program->is_privileged =
		(!fstat(fd, &st) && st.st_mode & (S_ISUID | S_ISGID) &&
		 (st.st_uid != getuid() || st.st_gid != getgid())) ||
		(fgetxattr(fd, "security.capability", NULL, 0) > 0 && getuid());
}

int weir_program_inspect(const char *command, struct weir_program *ret)
{
	struct elf elf;
	int err;

	memset(ret, 0, sizeof(*ret));
	err = find_command(command, ret->path);
	if (err)
		return err;
	elf.fd = open(ret->path, O_RDONLY | O_CLOEXEC);
	if (elf.fd >= 0 && read_interpreter(elf.fd, ret->path)) {
		close(elf.fd);
		elf.fd = open(ret->path, O_RDONLY | O_CLOEXEC);
	}
	if (elf.fd < 0)
		return -errno;
	err = read_elf(&elf);
	if (!err) {
		look_at_file(elf.fd, ret);
		ret->is_foreign = elf.head.e_ident[EI_CLASS] != ELFCLASS64 ||
				  elf.head.e_machine != OUR_MACHINE;
		ret->is_static =
			!ret->is_foreign && !find_part(&elf, PT_INTERP);
		find_sanitizer(&elf, ret->first);
	}
	close(elf.fd);
	return err;
}
