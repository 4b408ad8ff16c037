/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of a plan on property lists of HDF5. The program's lists are never
 * changed: a call gets copies. What the program has set itself, which is all
 * that differs from a new list of the class, is kept.
 */
#ifndef WEIR_HDF5_HDF5_ADJUST_H
#define WEIR_HDF5_HDF5_ADJUST_H

#include "adjust/adjust.h"
#include "layers/hdf5/hdf5.h"
#include "layers/hdf5/hdf5_lists.h"

#define WEIR_HDF5_SPELT 96 /* the longest value in words, with its end */
#define WEIR_HDF5_SIDES 32

/* How a setting goes, as far as it is known; each is a verdict and words. */
enum weir_hdf5_fate {
	WEIR_HDF5_NOT_DUE,
	WEIR_HDF5_SET, /* what came of it is looked at afterwards */
	WEIR_HDF5_KEPT,
	WEIR_HDF5_REFUSED,
	WEIR_HDF5_CALL_FAILED,
	WEIR_HDF5_MISSING,
	WEIR_HDF5_NOT_NOW, /* a call that cannot be made twice */
	WEIR_HDF5_NO_LIST,
	WEIR_HDF5_NO_COPY,
	/* of single knobs */
	WEIR_HDF5_NO_SIEVE,
	WEIR_HDF5_NO_CACHE,
	WEIR_HDF5_ALWAYS_EARLY,
	WEIR_HDF5_BROKEN_READS,
	WEIR_HDF5_NOT_SHARED,
	WEIR_HDF5_NOT_PARALLEL,
	WEIR_HDF5_NOT_PAGED,
	WEIR_HDF5_HAS_PAGES,
	WEIR_HDF5_NOT_CORE,
	WEIR_HDF5_TOO_OLD,
	WEIR_HDF5_BY_VARIABLE,
	WEIR_HDF5_NO_LOCKS,
	WEIR_HDF5_STAYS_MPIO,
	WEIR_HDF5_OTHER_RANK,
	WEIR_HDF5_TOO_LARGE,
	WEIR_HDF5_IS_EXTERNAL,
	WEIR_HDF5_NOT_CHUNKED,
	WEIR_HDF5_GROWS,
	WEIR_HDF5_HEADER_COPIES,
	WEIR_HDF5_ALONE_FAILS,
	WEIR_HDF5_INDEPENDENT,
	WEIR_HDF5_NOT_PROVEN,
	WEIR_HDF5_FILTERED,
	WEIR_HDF5_ONLY_READS,
	WEIR_HDF5_STAYED_ALONE,
};

/* What a call is about, for who judges whether a setting may be applied. */
struct weir_hdf5_scene {
	struct weir_hdf5_lists *lists;
	const struct weir_hdf5_args *args;
	enum weir_hdf5_class which;
	bool is_shared; /* several ranks have the file open by MPI-IO */
	bool is_writable;
	bool can_sieve;
	bool is_oldest;	  /* what is made has the oldest format */
	bool is_once;	  /* the call cannot be made again */
	bool is_second;	  /* it was made, with risky settings too */
	uint32_t ranks;	  /* 0: not known */
	bool is_filtered; /* a dataset that is read or written */
	uint8_t layout;
	long own, list; /* the program's, and the copy that is being set */
	long made;	/* by which a file or dataset is made, or 0 */
};

struct weir_hdf5_knob {
	uint16_t param; /* enum weir_param */
	bool is_risky;	/* a call with it may fail that would not without */
	bool is_of_mpi; /* libraries without MPI have it not */
	bool is_untold; /* the list of an open file may not say it */
	uint8_t width;	/* of what its functions take, in bytes */
	const char *set, *get; /* functions, or a property's name */
	int (*put)(const struct weir_hdf5_scene *scene,
		   const struct weir_hdf5_knob *knob,
		   const struct weir_plan_setting *setting);
	int (*tell)(const struct weir_hdf5_scene *scene,
		    const struct weir_hdf5_knob *knob, long list, char *text);
	/* may be NULL; a fate, WEIR_HDF5_SET if nothing is against it */
	int (*judge)(const struct weir_hdf5_scene *scene,
		     const struct weir_plan_setting *setting);
	const char *const *words; /* of choices, with NULL at the end */
};

/* What a knob does. */
#define WEIR_HDF5_PUT(name)                                                    \
	int weir_hdf5_put_##name(const struct weir_hdf5_scene *scene,          \
				 const struct weir_hdf5_knob *knob,            \
				 const struct weir_plan_setting *setting)
#define WEIR_HDF5_TELL(name)                                                   \
	int weir_hdf5_tell_##name(const struct weir_hdf5_scene *scene,         \
				  const struct weir_hdf5_knob *knob,           \
				  long list, char *text)

/* The knobs of a class of lists, in the order in which they are set. */
struct weir_hdf5_board {
	const struct weir_hdf5_knob *knobs; /* the last has no `set` */
	uint8_t first; /* where its fates begin */
	uint8_t target; /* enum weir_plan_target */
};

extern const struct weir_hdf5_knob weir_hdf5_fapl_knobs[],
	weir_hdf5_fcpl_knobs[], weir_hdf5_dcpl_knobs[], weir_hdf5_dapl_knobs[],
	weir_hdf5_dxpl_knobs[];
extern const struct weir_hdf5_board weir_hdf5_boards[WEIR_HDF5_CLASSES];

/* Sets what is due on a copy of a list, and notes the fates in args. */
struct weir_hdf5_due {
	enum weir_hdf5_class which;
	const char *file, *dataset;
	long *list; /* in args; NULL: the call has none */
	struct weir_hdf5_swap *swap;
	/* by knob, if they are known already */
	const struct weir_plan_setting *const *known;
};

void weir_hdf5_adjust_list(struct weir_hdf5_scene *scene,
			   struct weir_hdf5_args *args,
			   const struct weir_hdf5_due *due);

/* Whether a setting of a list was set that may be what made a call fail. */
bool weir_hdf5_adjust_is_risky(const struct weir_hdf5_args *args,
			       enum weir_hdf5_class which);

/* The call has failed with copies: true if it is to be made without. */
bool weir_hdf5_adjust_undo(struct weir_hdf5_args *args);

/* It has failed without them too: nothing is told. */
void weir_hdf5_adjust_forget(struct weir_hdf5_args *args);

/* Errors of the call are not printed, as it may be made again. */
void weir_hdf5_adjust_mute(struct weir_hdf5_args *args);
void weir_hdf5_adjust_unmute(struct weir_hdf5_args *args);

/* How all of a list went, and whom it is told of. */
struct weir_hdf5_outcome {
	struct weir_layer *on;
	uint32_t handle;
	const struct weir_hdf5_swap *swap; /* filled in */
};

void weir_hdf5_adjust_report(struct weir_hdf5_scene *scene,
			     struct weir_hdf5_args *args,
			     const struct weir_hdf5_due *due,
			     struct weir_hdf5_outcome *outcome);

/* Lets go of the copies. */
void weir_hdf5_adjust_close(struct weir_hdf5_args *args);

/* H5close: the same ids will stand for others. */
void weir_hdf5_adjust_transfer_forget(void);

/* Forms that knobs share. */
WEIR_HDF5_PUT(one); /* function(list, number) */
WEIR_HDF5_PUT(two);
WEIR_HDF5_TELL(one); /* function(list, &number) */
WEIR_HDF5_TELL(two);
WEIR_HDF5_TELL(named); /* a property that has no function */

/* Of what the oldest format does not have. */
int weir_hdf5_judge_format(const struct weir_hdf5_scene *scene,
			   const struct weir_plan_setting *setting);

/* A knob's function. */
void *weir_hdf5_knob_set(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob);
void *weir_hdf5_knob_get(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob);

/* The third of slots, bytes and preemption of a cache, which may be missing. */
double weir_hdf5_knob_w0(const struct weir_plan_setting *setting);

/* Adds to a text of WEIR_HDF5_SPELT bytes. */
void weir_hdf5_spell_word(char *text, const char *word);
void weir_hdf5_spell_number(char *text, uint64_t number);
void weir_hdf5_spell_real(char *text, double real);

#endif
