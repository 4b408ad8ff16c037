/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells from a program's file whether it can be recorded. */
#include "launch/programs/program.h"

#include "launch/programs/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_SCRIPTS 4	 /* that are each other's interpreter: the kernel's */
#define GO_NOTE	    4	 /* type of the note with a Go program's identity */

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	return S_ISREG(st.st_mode) && !access(path, X_OK) ? 0 : -EACCES;
}

int weir_program_find(const char *command, char ret_path[PATH_MAX])
{
	const char *list = getenv("PATH");
	char path[PATH_MAX];
	int err, worst = -ENOENT;

	if (strchr(command, '/')) {
		snprintf(ret_path, PATH_MAX, "%s", command);
		return check_file(command);
	}
	for (list = list ? list : "/bin:/usr/bin"; list;) {
		int length = (int)strcspn(list, ":");

		snprintf(path, PATH_MAX, "%.*s/%s", length ? length : 1,
			 length ? list : ".", command);
		err = check_file(path);
		if (!err || (err == -EACCES && worst != -EACCES))
			snprintf(ret_path, PATH_MAX, "%s", path);
		if (!err)
			return 0;
		worst = err == -EACCES ? err : worst;
		list = list[length] ? list + length + 1 : NULL;
	}
	return worst;
}

/* Splits `#! INTERPRETER [ARGUMENT]` as the kernel does. */
static bool read_interpreter(int fd, struct weir_program *program)
{
	char line[WEIR_PROGRAM_LINE];
	ssize_t length = pread(fd, line, sizeof(line) - 1, 0);
	char *at, *end;

	if (length < 2 || memcmp(line, "#!", 2))
		return false;
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	at = line + 2 + strspn(line + 2, " \t");
	end = at + strcspn(at, " \t");
	snprintf(program->interpreter, sizeof(line), "%.*s", (int)(end - at),
		 at);
	at = end + strspn(end, " \t");
	snprintf(program->argument, sizeof(line), "%s", at);
	for (size_t n = strlen(at); n && strchr(" \t", at[n - 1]); n--)
		program->argument[n - 1] = '\0';
	return true;
}

/*
 * The address sanitizer refuses to run behind another preloaded library, so
 * a program that needs it gets it first.
 */
static void find_sanitizer(const struct weir_elf *elf, char name[64])
{
	char needed[64];
	int err = 0;

	for (unsigned n = 0; err != -ENOENT && n < WEIR_ELF_DYNAMIC; n++) {
		err = weir_elf_text(elf, DT_NEEDED, n, needed, sizeof(needed));
		if (!err && !strncmp(needed, "libasan.so", 10))
			snprintf(name, 64, "%s", needed);
	}
}

/*
 * On a nosuid mount a file gives nothing. Who may gain no new privileges gets
 * no other user or group either; but capabilities make him secure even then.
 */
static enum weir_program_privilege find_privilege(int fd)
{
	bool may_change = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
	struct statvfs fs;
	struct stat st;

	if (fstat(fd, &st) || (!fstatvfs(fd, &fs) && fs.f_flag & ST_NOSUID))
		return WEIR_PROGRAM_PLAIN;
	if (may_change && st.st_mode & S_ISUID && st.st_uid != getuid())
		return WEIR_PROGRAM_SETUID;
	if (may_change && st.st_mode & S_ISGID && st.st_mode & S_IXGRP &&
	    st.st_gid != getgid())
		return WEIR_PROGRAM_SETGID;
	if (fgetxattr(fd, "security.capability", NULL, 0) > 0 && getuid())
		return WEIR_PROGRAM_CAPABLE;
	return WEIR_PROGRAM_PLAIN;
}

/* The loader itself can be run as a command, and preloads as ever. */
static bool is_loader(const struct weir_elf *elf)
{
	char name[64];

	return !weir_elf_text(elf, DT_SONAME, 0, name, sizeof(name)) &&
	       !strncmp(name, "ld-linux", 8);
}

static int look_at_elf(int fd, struct weir_program *program)
{
	char identity[256];
	struct weir_elf elf;
	int err = weir_elf_read(fd, &elf);

	if (err)
		return err;
	program->privilege = find_privilege(fd);
	weir_elf_architecture(&elf, program->architecture);
	program->is_foreign = !weir_elf_is_ours(&elf);
	program->is_static = !program->is_foreign &&
			     !weir_elf_part(&elf, PT_INTERP) &&
			     !is_loader(&elf);
	program->is_pie = elf.head.e_type == ET_DYN;
	program->is_go = weir_elf_note(&elf, "Go", GO_NOTE, identity,
				       sizeof(identity)) > 0 ||
			 weir_elf_has_section(&elf, ".note.go.buildid");
	weir_elf_loader(&elf, program->loader, sizeof(program->loader));
	find_sanitizer(&elf, program->first);
	return 0;
}

int weir_program_look(const char *path, struct weir_program *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int err = 0;

	memset(ret, 0, sizeof(*ret));
	snprintf(ret->path, sizeof(ret->path), "%s", path);
	if (fd < 0)
		return -errno;
	ret->is_script = read_interpreter(fd, ret);
	if (!ret->is_script)
		err = look_at_elf(fd, ret);
	close(fd);
	return err;
}

int weir_program_inspect(const char *command, struct weir_program *ret)
{
	char path[PATH_MAX];
	int err = weir_program_find(command, path);

	memset(ret, 0, sizeof(*ret));
	for (int i = 0; !err && i <= MAX_SCRIPTS; i++) {
		err = weir_program_look(path, ret);
		ret->is_for_script = i > 0;
		if (err || !ret->is_script)
			return err;
		snprintf(path, sizeof(path), "%s", ret->interpreter);
	}
	return err ? err : -ELOOP;
}

const char *weir_program_obstacle(const struct weir_program *program)
{
	static const char *const privileged[] = {
		[WEIR_PROGRAM_SETUID] =
			"runs with another user's rights (set-user-ID)",
		[WEIR_PROGRAM_SETGID] =
			"runs with another group's rights (set-group-ID)",
		[WEIR_PROGRAM_CAPABLE] = "is given capabilities by its file",
	};

	if (program->is_foreign)
		return "is built for another architecture than weir";
	if (program->is_static)
		return "is statically linked";
	return privileged[program->privilege];
}
