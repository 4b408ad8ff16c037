/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether the command itself can be recorded. */
#include "doctor/check.h"
#include "doctor/patient.h"
#include "launch/programs/elf.h"
#include "launch/programs/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the link before this one is a script for. */
static const struct weir_patient_link *
script_of(const struct weir_patient *patient, size_t i)
{
	return i && patient->links[i - 1].made ? &patient->links[i - 1] : NULL;
}

/* arg: 1, may not be executed; 0, is not there. */
static enum weir_check_answer look_for_command(const struct weir_patient *p,
					       int arg, char *where)
{
	const char *path = getenv("PATH");

	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_patient_link *link = &p->links[i];

		if (link->is_there || script_of(p, i) ||
		    (link->err == -EACCES) != arg)
			continue;
		if (arg || strchr(link->word, '/'))
			return weir_check_found(where, "%s: %s",
						link->program.path,
						strerror(-link->err));
		return weir_check_found(where, "%s in PATH=%s", link->word,
					path ? path : "(not set)");
	}
	return p->link_count ? WEIR_CHECK_FINE : WEIR_CHECK_UNASKED;
}

static enum weir_check_answer
/*
 * A script fails with the message that it is not there, which misleads: it is
 * its interpreter that is missing.
 */
look_for_interpreter(const struct weir_patient *p, int arg, char *where)
{
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;
	const struct weir_patient_link *script;

	for (size_t i = 0; i < p->link_count; i++) {
		script = script_of(p, i);
		if (!script)
			continue;
		if (!p->links[i].is_there)
			return weir_check_found(where, "%s: #!%s: %s",
						script->program.path,
						script->program.interpreter,
						strerror(-p->links[i].err));
		answer = WEIR_CHECK_FINE;
	}
	return answer;
}

static enum weir_check_answer
/* It works here; from elsewhere the kernel finds nothing or another program. */
look_at_relative_interpreter(const struct weir_patient *p, int arg, char *where)
{
	enum weir_check_answer answer = WEIR_CHECK_UNASKED;

	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_program *program = &p->links[i].program;

		if (!program->is_script)
			continue;
		if (program->interpreter[0] != '/')
			return weir_check_found(where, "%s: #!%s",
						program->path,
						program->interpreter);
		answer = WEIR_CHECK_FINE;
	}
	return answer;
}

/*
 * The loader says only "wrong ELF class", of our library and not of the
 * program.
 */
static enum weir_check_answer look_at_machine(const struct weir_patient *p,
					      int arg, char *where)
{
	if (!p->last)
		return WEIR_CHECK_UNASKED;
	if (p->last->program.is_foreign)
		return weir_check_found(where, "%s is for %s",
					p->last->program.path,
					p->last->program.architecture);
	return WEIR_CHECK_FINE;
}

/* arg: 1, at any address; 0, at one. */
static enum weir_check_answer look_at_linking(const struct weir_patient *p,
					      int arg, char *where)
{
	const struct weir_program *program = p->last ? &p->last->program : NULL;

	if (!program || program->is_foreign)
		return WEIR_CHECK_UNASKED;
	if (program->is_static && program->is_pie == arg)
		return weir_check_found(where, "%s has no PT_INTERP",
					program->path);
	return WEIR_CHECK_FINE;
}

/* arg: a privilege. A wrapper's holds for all that it starts. */
static enum weir_check_answer look_at_privilege(const struct weir_patient *p,
						int arg, char *where)
{
	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_program *program = &p->links[i].program;

		if ((int)program->privilege == arg && !program->is_static)
			return weir_check_found(where, "%s %s", program->path,
						weir_program_obstacle(program));
	}
	return p->link_count ? WEIR_CHECK_FINE : WEIR_CHECK_UNASKED;
}

/* NULL where what holds for dynamic programs of this machine says nothing. */
static const struct weir_program *dynamic_program(const struct weir_patient *p)
{
	const struct weir_program *program = p->last ? &p->last->program : NULL;

	return program && program->loader[0] && !program->is_foreign ? program
								     : NULL;
}

/* arg: 0, is it there; 1, is it glibc's. */
static enum weir_check_answer look_at_loader(const struct weir_patient *p,
					     int arg, char *where)
{
	const struct weir_program *program = dynamic_program(p);
	struct weir_elf elf;
	char name[64] = "";
	int fd;

	if (!program)
		return WEIR_CHECK_UNASKED;
	fd = open(program->loader, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return arg ? WEIR_CHECK_UNASKED :
			     weir_check_found(where, "%s wants %s: %s",
					      program->path, program->loader,
					      strerror(errno));
	if (!weir_elf_read(fd, &elf))
		weir_elf_text(&elf, DT_SONAME, 0, name, sizeof(name));
	close(fd);
	if (arg && strncmp(name, "ld-linux", 8))
		return weir_check_found(where, "%s is loaded by %s (%s)",
					program->path, program->loader,
					*name ? name : "without a name");
	return WEIR_CHECK_FINE;
}

/* Only when the search is certain: a wrong warning would be worse than none. */
static enum weir_check_answer look_for_libraries(const struct weir_patient *p,
						 int arg, char *where)
{
	const struct weir_closure *all = &p->closure;

	if (!dynamic_program(p) || !all->is_sure)
		return WEIR_CHECK_UNASKED;
	for (size_t i = 1; i < all->count; i++) {
		if (!all->items[i].path)
			return weir_check_found(
				where, "%s, needed by %s", all->items[i].name,
				all->items[all->items[i].needed_by].path);
	}
	return WEIR_CHECK_FINE;
}

/* The highest symbol version of glibc that a file defines or needs: 2.N. */
static int newest_glibc(const char *path, int64_t tag)
{
	struct weir_elf elf;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int newest = -ENOENT;

	if (fd < 0)
		return -errno;
	if (!weir_elf_read(fd, &elf))
		newest = weir_elf_newest_glibc(&elf, tag);
	close(fd);
	return newest;
}

/* A program may bring a glibc of its own, older than this system's. */
static enum weir_check_answer look_at_glibc(const struct weir_patient *p,
					    int arg, char *where)
{
	const struct weir_closure_item *libc =
		weir_closure_find(&p->closure, "libc.so.6");
	int given, needed;

	if (!libc || !libc->path || p->library_err)
		return WEIR_CHECK_UNASKED;
	given = newest_glibc(libc->path, DT_VERDEF);
	needed = newest_glibc(p->library, DT_VERNEED);
	if (given < 0 || needed < 0)
		return WEIR_CHECK_UNASKED;
	if (given < needed)
		return weir_check_found(where,
					"%s is glibc 2.%d; %s needs 2.%d",
					libc->path, given, p->library, needed);
	return WEIR_CHECK_FINE;
}

/* What does not call libc passes no wrapper, however it is linked. */
static enum weir_check_answer look_for_libc(const struct weir_patient *p,
					    int arg, char *where)
{
	const struct weir_program *program = dynamic_program(p);

	if (!program)
		return WEIR_CHECK_UNASKED;
	if (!weir_closure_find(&p->closure, "libc.so"))
		return weir_check_found(where, "%s and its libraries do not "
					"need libc.so.6", program->path);
	return WEIR_CHECK_FINE;
}

/*
 * Go's runtime makes system calls itself, though it is linked with libc for C.
 */
static enum weir_check_answer look_for_go(const struct weir_patient *p,
					  int arg, char *where)
{
	const struct weir_program *program = dynamic_program(p);

	if (!program)
		return WEIR_CHECK_UNASKED;
	if (program->is_go)
		return weir_check_found(where, "%s has a Go build id",
					program->path);
	return WEIR_CHECK_FINE;
}

/* Only calls between objects can be intercepted; those within a file cannot. */
static enum weir_check_answer look_inside(const struct weir_patient *p, int arg,
					  char *where)
{
	const struct weir_program *program = dynamic_program(p);
	weir_preloads_set inside;

	if (!program)
		return WEIR_CHECK_UNASKED;
	inside = weir_inside_find(program->path);
	for (unsigned i = 0; weir_preloads[i].name; i++)
		if (inside & 1u << i)
			return weir_check_found(where, "%s has %s in its own "
						"file", program->path,
						weir_preloads[i].title);
	return WEIR_CHECK_FINE;
}

/* What a script or a shell starts is known only when it runs. */
static enum weir_check_answer look_for_script(const struct weir_patient *p,
					      int arg, char *where)
{
	static const char *const shells[] = {"sh", "bash", "dash", "ksh",
					     "zsh", "make"};
	const char *slash, *name;

	for (size_t i = 0; i < p->link_count; i++) {
		if (p->links[i].made)
			return weir_check_found(where, "%s, run by %s",
						p->links[i].program.path,
						p->links[i].made[0]);
		slash = strrchr(p->links[i].word, '/');
		name = slash ? slash + 1 : p->links[i].word;
		for (size_t n = 0; n < sizeof(shells) / sizeof(*shells); n++)
			if (!strcmp(name, shells[n]))
				return weir_check_found(where, "%s",
							p->links[i].word);
	}
	return WEIR_CHECK_UNASKED;
}

static enum weir_check_answer look_for_secrets(const struct weir_patient *p,
					       int arg, char *where)
{
	for (size_t i = 0; i < p->link_count; i++) {
		if (p->links[i].is_there && p->links[i].err)
			return weir_check_found(where, "%s: %s",
						p->links[i].program.path,
						strerror(-p->links[i].err));
	}
	return p->link_count ? WEIR_CHECK_FINE : WEIR_CHECK_UNASKED;
}

const struct weir_check weir_command_checks[] = {
	{ "command-missing", WEIR_CHECK_PREVENTS, look_for_command, 0,
	  "the command is not found",
	  "correct its name or PATH, or build it first", "the command exists" },
	{ "command-not-executable", WEIR_CHECK_PREVENTS, look_for_command, 1,
	  "the command may not be executed",
	  "chmod +x it, or look at the directory and its mount options",
	  "the command may be executed" },
	{ "interpreter-missing", WEIR_CHECK_PREVENTS, look_for_interpreter, 0,
	  "the script's interpreter cannot be started",
	  "correct the first line: an absolute path, no carriage return at its "
	  "end",
	  "the script's interpreter exists" },
	{ "wrong-architecture", WEIR_CHECK_PREVENTS, look_at_machine, 0,
	  "the program is built for another architecture than weir",
	  "use a weir built for it, on a machine that runs it",
	  "the program is of weir's architecture" },
	{ "static", WEIR_CHECK_PREVENTS, look_at_linking, 0,
	  "the program is statically linked, so nothing can be preloaded",
	  "link it without -static", "the program is not static" },
	{ "static-pie", WEIR_CHECK_PREVENTS, look_at_linking, 1,
	  "the program is statically linked (static-pie), so nothing can be "
	  "preloaded",
	  "link it without -static-pie", "the program is not static-pie" },
	{ "setuid", WEIR_CHECK_PREVENTS, look_at_privilege, WEIR_PROGRAM_SETUID,
	  "the loader preloads nothing into set-user-ID programs",
	  "record as that user, or a copy without the bit (chmod u-s)",
	  "no program is set-user-ID" },
	{ "setgid", WEIR_CHECK_PREVENTS, look_at_privilege, WEIR_PROGRAM_SETGID,
	  "the loader preloads nothing into set-group-ID programs",
	  "record as that group, or a copy without the bit (chmod g-s)",
	  "no program is set-group-ID" },
	{ "capabilities", WEIR_CHECK_PREVENTS, look_at_privilege,
	  WEIR_PROGRAM_CAPABLE,
	  "the loader preloads nothing into programs with file capabilities",
	  "record a copy without them (cp loses them, setcap -r removes them)",
	  "no program has capabilities" },
	{ "loader-missing", WEIR_CHECK_PREVENTS, look_at_loader, 0,
	  "the program's dynamic loader does not exist, so it cannot start",
	  "install the libraries it was built for, or build it here",
	  "the program's dynamic loader exists" },
	{ "other-libc", WEIR_CHECK_PREVENTS, look_at_loader, 1,
	  "the program uses another C library than glibc",
	  "build it with glibc (not musl, not uClibc)",
	  "the program is loaded by glibc" },
	{ "program-library-missing", WEIR_CHECK_PREVENTS, look_for_libraries, 0,
	  "a library that the program needs is not found, so it cannot start",
	  "load its module, or set LD_LIBRARY_PATH",
	  "the program's libraries are there" },
	{ "old-glibc", WEIR_CHECK_PREVENTS, look_at_glibc, 0,
	  "the program's glibc is older than weir can work with",
	  "build weir on a system as old as this one, or use a newer glibc",
	  "the program's glibc is new enough" },
	{ "no-libc", WEIR_CHECK_CUTS, look_for_libc, 0,
	  "the program does not use libc, and its own system calls are not "
	  "seen",
	  "see its calls with strace", "the program uses libc" },
	{ "go", WEIR_CHECK_CUTS, look_for_go, 0,
	  "the program is written in Go, which makes its system calls itself: "
	  "only those of its C parts are seen",
	  "see its calls with strace", "the program is not written in Go" },
	{ "library-inside", WEIR_CHECK_CUTS, look_inside, 0,
	  "a library is linked statically into the program: its calls are not "
	  "seen, and no plan reaches it",
	  "link it with the shared library (h5cc -shlib)",
	  "no recorded library is linked into the program" },
	{ "interpreter-relative", WEIR_CHECK_NOTE, look_at_relative_interpreter,
	  0, "the script's interpreter is found from this directory only",
	  "write an absolute path after #!",
	  "the script's interpreter has an absolute path" },
	{ "script", WEIR_CHECK_NOTE, look_for_script, 0,
	  "which programs a script or shell starts is not known beforehand; "
	  "static ones among them would not be recorded",
	  "look at the finished trace: weir doctor --trace DIR", NULL },
	{ "unreadable", WEIR_CHECK_NOTE, look_for_secrets, 0,
	  "a program could not be examined",
	  "make its file readable for you, and try again",
	  "all programs could be examined" },
	{ 0 },
};
