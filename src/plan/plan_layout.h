/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out the flat plan that a process is given: checked by the launcher, so
 * that nothing is parsed inside a program.
 */
#ifndef WEIR_PLAN_PLAN_LAYOUT_H
#define WEIR_PLAN_PLAN_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define WEIR_PLAN_NAME	   "plan" /* in the directory of the trace */
#define WEIR_PLAN_MAGIC	   "WEIRpln1"
#define WEIR_PLAN_VERSION  1
#define WEIR_PLAN_LARGEST  (1u << 20) /* bytes */
#define WEIR_PLAN_SETTINGS 112
#define WEIR_PLAN_NUMBERS  8 /* of one setting: a chunk has as many sides */
#define WEIR_PLAN_SITES	   4096

/* Who applies a setting: also the word in spec/params. Numbers are for ever. */
enum weir_plan_target {
	WEIR_PLAN_ENVIRONMENT = 1, /* the launcher, before the program starts */
	WEIR_PLAN_FILE_ACCESS,	   /* HDF5: how a file is opened */
	WEIR_PLAN_FILE_CREATE,	   /* how one is made */
	WEIR_PLAN_DATASET_CREATE,
	WEIR_PLAN_DATASET_ACCESS,
	WEIR_PLAN_TRANSFER,    /* how a dataset is read and written */
	WEIR_PLAN_HINT,	       /* MPI-IO: a key of an info */
	WEIR_PLAN_PNETCDF,     /* the same, of PnetCDF's own keys */
	WEIR_PLAN_NAME_PREFIX, /* MPI-IO: before the name of a file */
	WEIR_PLAN_STRIPE,      /* as a file is made on Lustre */
	WEIR_PLAN_OPEN,	       /* after a file was opened */
	WEIR_PLAN_STREAM,      /* after a stream was opened */
};

/*
 * What became of a setting where it was to be applied. Each process counts
 * them in the control file, by setting. Numbers are for ever.
 */
enum weir_plan_verdict {
	WEIR_VERDICT_TOOK,    /* read back, it is what was asked for */
	WEIR_VERDICT_CHANGED, /* read back, it is something else */
	WEIR_VERDICT_IGNORED, /* read back, it is not there */
	WEIR_VERDICT_KEPT,    /* the program had set it itself */
	WEIR_VERDICT_INERT,   /* it is set, and does nothing here */
	WEIR_VERDICT_REFUSED, /* setting it, or the call with it, failed */
	WEIR_VERDICT_GIVEN,   /* handed over; nobody tells what came of it */
	WEIR_VERDICT_UNSAFE,  /* left alone: what it needs is not proven here */
	WEIR_VERDICT_COUNT,
};

#define WEIR_PLAN_FORCE	 1u /* also over what the program set itself */
#define WEIR_PLAN_PROVEN 2u /* only from the sites named, see below */

/* Offsets of texts count from the beginning of the strings; 0 is "". */
struct weir_plan_setting {
	uint16_t param; /* enum weir_param, of spec/params */
	uint8_t target; /* enum weir_plan_target */
	uint8_t flags;
	uint8_t count;	/* of numbers */
	uint8_t pad[3];
	uint32_t name;	  /* of the parameter */
	uint32_t value;	  /* as hints and variables have it */
	uint32_t file;	  /* pattern; "": every file */
	uint32_t dataset; /* pattern of its path; "": every one */
	uint32_t line;	  /* in the file of the user */
	uint32_t site, sites; /* the first, and how many */
	uint32_t ranks;	  /* for which the sites are proven */
	int64_t number[WEIR_PLAN_NUMBERS]; /* flags 0, 1; choices by number */
	double real;
};

/* A place in a program from which every rank makes a call. */
struct weir_plan_site {
	uint64_t object; /* weir_hash_bytes() of its file's last component */
	uint64_t offset; /* of the return address from where it is loaded */
};

/* Followed by settings, sites and strings. */
struct weir_plan_head {
	char magic[8];
	uint32_t version;
	uint32_t bytes;	   /* of all */
	uint64_t check;	   /* weir_hash_bytes() of what follows the head */
	uint32_t settings, sites, strings; /* the last in bytes */
	uint32_t pad;
};

_Static_assert(sizeof(struct weir_plan_head) == 40, "head");
_Static_assert(sizeof(struct weir_plan_setting) == 112, "setting");

#endif
