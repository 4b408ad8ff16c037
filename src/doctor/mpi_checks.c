/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether a parallel program and its launcher belong together. */
#include "doctor/check.h"
#include "doctor/patient.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum flavour {
	NONE,
	OPEN_MPI,
	MPICH,
	ANY, /* a launcher that goes with all */
	UNKNOWN,
};

static const char *const flavour_names[] = {"none", "Open MPI", "MPICH", "any",
					    "unknown"};

struct sign {
	const char *text;
	enum flavour flavour;
};

/* The beginning of a library's name; the first that fits decides. */
static const struct sign libraries[] = {
	{"libmpi.so.40", OPEN_MPI}, {"libmpi.so.20", OPEN_MPI},
	{"libmpich.so.", MPICH},    {"libmpi.so.12", MPICH},
	{"libmpi.so", UNKNOWN},	    {"libmpi_cray", UNKNOWN},
	{"libmsmpi", UNKNOWN},	    {"libmpi_ibm", UNKNOWN},
};

/* A part of the real name of a launcher. */
static const struct sign launchers[] = {
	{"openmpi", OPEN_MPI}, {"orterun", OPEN_MPI}, {"prterun", OPEN_MPI},
	{"hydra", MPICH},      {"mpich", MPICH},      {"srun", ANY},
};

static const struct sign launcher_libraries[] = {
	{"libopen-rte", OPEN_MPI},
	{"libopen-pal", OPEN_MPI},
	{"libprrte", OPEN_MPI},
	{"libmpichcommon", MPICH},
};

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

static enum flavour flavour_of_closure(const struct weir_closure *closure,
				       const struct sign *signs, size_t count,
				       const char **ret_name)
{
	for (size_t i = 0; i < count; i++) {
		const struct weir_closure_item *item =
			weir_closure_find(closure, signs[i].text);

		if (item) {
			*ret_name = item->name;
			return signs[i].flavour;
		}
	}
	return NONE;
}

static enum flavour flavour_of_libraries(const char *path)
{
	struct weir_closure *closure = malloc(sizeof(*closure));
	enum flavour flavour = NONE;
	const char *name;

	if (closure && !weir_closure_make(path, closure)) {
		flavour = flavour_of_closure(closure, launcher_libraries,
					     COUNT(launcher_libraries), &name);
		weir_closure_fini(closure);
	}
	free(closure);
	return flavour == NONE ? UNKNOWN : flavour;
}

static enum flavour flavour_of_launcher(const char *path)
{
	char real[PATH_MAX];
	const char *name;

	if (!realpath(path, real))
		return UNKNOWN;
	name = strrchr(real, '/');
	for (size_t i = 0; i < COUNT(launchers); i++) {
		if (strstr(name, launchers[i].text))
			return launchers[i].flavour;
	}
	return flavour_of_libraries(real);
}

static const struct weir_patient_link *
find_launcher(const struct weir_patient *p)
{
	for (size_t i = 0; i < p->link_count; i++) {
		const struct weir_patient_link *link = &p->links[i];

		if (link->is_there && link->is_wrapper &&
		    link->use.wrapper->effect == WEIR_WRAPPER_MPI)
			return link;
	}
	return NULL;
}

static enum weir_check_answer look_at_launcher(const struct weir_patient *p,
					       int arg, char *where)
{
	const struct weir_patient_link *link = find_launcher(p);

	if (!link)
		return WEIR_CHECK_UNASKED;
	if (flavour_of_launcher(link->program.path) != UNKNOWN)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s", link->program.path);
}

static enum weir_check_answer look_at_library(const struct weir_patient *p,
					      int arg, char *where)
{
	const char *name;
	enum flavour flavour;

	flavour = flavour_of_closure(&p->closure, libraries, COUNT(libraries),
				     &name);
	if (flavour == NONE)
		return WEIR_CHECK_UNASKED;
	if (flavour != UNKNOWN)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s needs %s", p->last->program.path,
				name);
}

/* arg: 1, the launcher of the command; 0, the one that PATH leads to. */
static enum weir_check_answer look_at_both(const struct weir_patient *p,
					   int arg, char *where)
{
	const struct weir_patient_link *link = find_launcher(p);
	enum flavour program, launcher;
	char path[PATH_MAX];
	const char *name;

	program = flavour_of_closure(&p->closure, libraries, COUNT(libraries),
				     &name);
	if (program == NONE || program == UNKNOWN || !link != !arg)
		return WEIR_CHECK_UNASKED;
	if (!link && weir_program_find("mpirun", path))
		return WEIR_CHECK_UNASKED;
	launcher = flavour_of_launcher(link ? link->program.path : path);
	if (launcher == program || launcher == ANY || launcher == UNKNOWN)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s needs %s (%s); %s is of %s",
				p->last->program.path, name,
				flavour_names[program],
				link ? link->program.path : path,
				flavour_names[launcher]);
}

const struct weir_check weir_mpi_checks[] = {
	{ "mpi-mismatch", WEIR_CHECK_CUTS, look_at_both, 1,
	  "the launcher belongs to another MPI than the program: each rank "
	  "runs alone, with a trace of its own",
	  "use the launcher of the MPI that the program is linked with",
	  "program and launcher belong to the same MPI" },
	{ "mpi-launcher-unknown", WEIR_CHECK_CUTS, look_at_launcher, 0,
	  "it is unknown which MPI the launcher belongs to, and whether it "
	  "passes the environment to all ranks",
	  "put weir inside: LAUNCHER weir run -- PROGRAM",
	  "the launcher is a known one" },
	{ "mpi-library-unknown", WEIR_CHECK_CUTS, look_at_library, 0,
	  "the program uses an MPI that weir does not know: its MPI calls are "
	  "not recorded, its other calls are",
	  "use Open MPI or MPICH, or one that is compatible with it",
	  "the program's MPI is a known one" },
	{ "mpi-path", WEIR_CHECK_NOTE, look_at_both, 0,
	  "the mpirun in PATH belongs to another MPI than the program",
	  "use the launcher of the MPI that the program is linked with",
	  "the mpirun in PATH goes with the program" },
	{ 0 },
};
