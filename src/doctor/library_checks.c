/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether the preloaded library exists and can be loaded. */
#include "doctor/check.h"
#include "doctor/patient.h"
#include "launch/programs/elf.h"
#include "launch/programs/preloads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int open_elf(const struct weir_patient *p, struct weir_elf *elf)
{
	int fd = open(p->library, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : weir_elf_read(fd, elf);

	if (err && fd >= 0)
		close(fd);
	return err;
}

static enum weir_check_answer look_for_library(const struct weir_patient *p,
					       int arg, char *where)
{
	const char *given = getenv("WEIR_LIBRARY");
	char self[PATH_MAX] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return WEIR_CHECK_UNASKED; /* told by another check */
	if (p->library_err && p->library_err != -EINVAL)
		return weir_check_found(where,
					"not beside %s, not in ../lib/weir; "
					"WEIR_LIBRARY is %s",
					self, given ? given : "not set");
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_path(const struct weir_patient *p,
					   int arg, char *where)
{
	if (p->library_err == -EINVAL)
		return weir_check_found(where, "%s", p->library);
	return p->library_err ? WEIR_CHECK_UNASKED : WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_setting(const struct weir_patient *p,
					      int arg, char *where)
{
	const char *given = getenv("WEIR_LIBRARY");

	if (!given || !*given || p->library_err)
		return WEIR_CHECK_UNASKED;
	if (access(given, F_OK))
		return weir_check_found(where, "WEIR_LIBRARY=%s: %s; %s is "
					"used", given, strerror(errno),
					p->library);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_rights(const struct weir_patient *p,
					     int arg, char *where)
{
	if (p->library_err)
		return WEIR_CHECK_UNASKED;
	if (access(p->library, R_OK))
		return weir_check_found(where, "%s: %s", p->library,
					strerror(errno));
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_mount(const struct weir_patient *p,
					    int arg, char *where)
{
	struct statvfs fs;

	if (p->library_err || statvfs(p->library, &fs))
		return WEIR_CHECK_UNASKED;
	if (fs.f_flag & ST_NOEXEC)
		return weir_check_found(where, "%s", p->library);
	return WEIR_CHECK_FINE;
}

/* As much of the file must be there as is to be loaded. */
static bool is_whole(const struct weir_elf *elf)
{
	const Elf64_Phdr *part = elf->parts;
	struct stat st;

	if (fstat(elf->fd, &st) || !elf->part_count || !elf->dynamic_count)
		return false;
	for (uint32_t i = 0; i < elf->part_count; i++, part++) {
		if (part->p_type == PT_LOAD &&
		    (part->p_offset > (uint64_t)st.st_size ||
		     part->p_filesz > (uint64_t)st.st_size - part->p_offset))
			return false;
	}
	return true;
}

static enum weir_check_answer look_at_kind(const struct weir_patient *p,
					   int arg, char *where)
{
	struct weir_elf elf;
	char machine[32];
	bool whole, ours;
	int err;

	if (p->library_err || access(p->library, R_OK))
		return WEIR_CHECK_UNASKED;
	err = open_elf(p, &elf);
	if (err)
		return weir_check_found(where, "%s is not a library",
					p->library);
	ours = weir_elf_is_ours(&elf);
	whole = is_whole(&elf);
	weir_elf_architecture(&elf, machine);
	close(elf.fd);
	if (ours && whole)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s is %s %s", p->library,
				ours ? "cut short, a library for" : "for",
				machine);
}

static enum weir_check_answer look_at_version(const struct weir_patient *p,
					      int arg, char *where)
{
	struct weir_elf elf;
	char version[64];
	int length;

	if (p->library_err || open_elf(p, &elf))
		return WEIR_CHECK_UNASKED;
	length = weir_elf_note(&elf, "weir", 1, version, sizeof(version));
	close(elf.fd);
	if (length > 0 && !strcmp(version, WEIR_VERSION))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s is of version %s, weir of "
				WEIR_VERSION, p->library,
				length > 0 ? version : "unknown");
}

static enum weir_check_answer look_at_needs(const struct weir_patient *p,
					    int arg, char *where)
{
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;
	struct weir_closure *closure = malloc(sizeof(*closure));

	if (closure && !p->library_err &&
	    !weir_closure_make(p->library, closure)) {
		answer = WEIR_CHECK_FINE;
		for (size_t i = 1; i < closure->count; i++) {
			if (!closure->items[i].path)
				answer = weir_check_found(
					where, "%s needs %s", p->library,
					closure->items[i].name);
		}
		weir_closure_fini(closure);
	}
	free(closure);
	return answer;
}

static void list_files(weir_preloads_set set, char *out, size_t room)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned i = 0; weir_preloads[i].name && used < room; i++) {
		if (set & 1u << i)
			used += (size_t)snprintf(out + used, room - used,
						 "%s%s", used ? ", " : "",
						 weir_preloads[i].file);
	}
}

/* What is preloaded without weir run is told by LD_PRELOAD. */
static enum weir_check_answer look_for_objects(const struct weir_patient *p,
					       int arg, char *where)
{
	static const struct weir_preloads_choice usual = {.by_program = true};
	weir_preloads_set wanted, missing;
	char files[WEIR_CHECK_ROOM / 4];

	if (p->library_err || p->is_plain || !p->last)
		return WEIR_CHECK_UNASKED;
	wanted = weir_preloads_wanted(&usual, &p->last->program, p->last->err);
	if (!wanted)
		return WEIR_CHECK_UNASKED;
	free(weir_preloads_list(p->library, wanted, &missing));
	if (!missing)
		return WEIR_CHECK_FINE;
	list_files(missing, files, sizeof(files));
	return weir_check_found(where, "%s needs %s beside %s",
				p->last->program.path, files, p->library);
}

const struct weir_check weir_library_checks[] = {
	{ "library-missing", WEIR_CHECK_PREVENTS, look_for_library, 0,
	  "libweir.so is not found",
	  "install all of weir, or set WEIR_LIBRARY to the library's path",
	  "libweir.so exists" },
	{ "library-path", WEIR_CHECK_PREVENTS, look_at_path, 0,
	  "there is a colon or space in the path of libweir.so, which "
	  "LD_PRELOAD cannot name",
	  "install weir elsewhere", "the path of libweir.so can be preloaded" },
	{ "library-unreadable", WEIR_CHECK_PREVENTS, look_at_rights, 0,
	  "libweir.so may not be read", "chmod a+r it, and a+x its directories",
	  "libweir.so may be read" },
	{ "library-noexec", WEIR_CHECK_PREVENTS, look_at_mount, 0,
	  "libweir.so is on a file system mounted noexec, from which the "
	  "loader loads nothing",
	  "install weir elsewhere, or remount it with exec",
	  "libweir.so is where code may be loaded from" },
	{ "library-broken", WEIR_CHECK_PREVENTS, look_at_kind, 0,
	  "libweir.so cannot be loaded here", "install weir again",
	  "libweir.so is a whole library of this architecture" },
	{ "library-needs", WEIR_CHECK_PREVENTS, look_at_needs, 0,
	  "a library that libweir.so needs is not found: no program starts",
	  "install it, or install weir again", "what libweir.so needs exists" },
	{ "library-version", WEIR_CHECK_CUTS, look_at_version, 0,
	  "libweir.so and weir are of different versions, which may not work "
	  "together",
	  "install both from one build, or correct WEIR_LIBRARY",
	  "libweir.so and weir are of one version" },
	{ "library-objects", WEIR_CHECK_CUTS, look_for_objects, 0,
	  "the object that records the calls of a library which the program "
	  "may use (MPI, HDF5, PnetCDF) is not there: what it does through "
	  "them is seen as calls of libc alone",
	  "install all of weir",
	  "the objects for the program's libraries are there" },
	{ "library-setting", WEIR_CHECK_NOTE, look_at_setting, 0,
	  "WEIR_LIBRARY names no file and is ignored", "correct or unset it",
	  "WEIR_LIBRARY names a file" },
	{ 0 },
};
