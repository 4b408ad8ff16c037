/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5, without its headers: an hid_t is a 64-bit number since 1.10. Older
 * libraries, where it is an int, are passed by.
 */
#ifndef WEIR_HDF5_HDF5_H
#define WEIR_HDF5_HDF5_H

#include "capture/layer.h"
#include "layers/hdf5/hdf5_library.h"
#include "layers/storage.h"

#define WEIR_HDF5_RANK	8   /* of more dimensions, this many are told */
#define WEIR_HDF5_TEXT	192 /* the longest shape or extent, with its end */

#define WEIR_HDF5_KNOBS 48 /* at most this many parameters */

struct weir_hdf5_object;

/* A list of a call, while settings of a plan are applied to it. */
struct weir_hdf5_swap {
	long own;  /* the program's */
	long copy; /* ours; 0: there is none */
	long seen; /* what the object tells of itself afterwards; 0: none */
};

/* What a wrapper knows of its call; the kinds' `fills` are its members. */
struct weir_hdf5_args {
	uint16_t call;
	bool collective; /* if its file is one of several ranks */
	bool has_runs, has_layout, has_asked, has_got, has_cause;
	bool has_handed, has_left, has_fault;
	const void *from; /* the function of the library */
	const void *frame;
	long id; /* what the call is on */
	const char *name, *name2, *name3;
	unsigned flags;
	long type, memory, select, dxpl, fapl; /* ids that come with it */
	unsigned long many;		       /* of these lists */
	const long *ids, *types, *memories, *selects;
	unsigned long length, address;
	long comm, es;
	int rank, op;
	const void *start, *stride, *count, *block;
	const void *data; /* that is written */
	int mode;
	const void *left, *fault; /* of an event set, as the call says */
	/* told by the roles */
	uint64_t handed, ended;
	const char *shape, *extent;
	uint64_t runs, coll, seq;
	unsigned layout, asked, got, cause;
	struct weir_hdf5_library *library; /* NULL: not one that we know */
	struct weir_hdf5_object *object;   /* NULL: not seen opened */
	uint64_t moved;
	struct weir_storage on; /* what the file lies on */
	/* of an event set */
	uint32_t handle;   /* of what the operation is on, before */
	uint64_t inserted; /* operations, before the call */
	uint64_t until;	   /* the latest id, before the call */
	uint64_t failures;
	bool is_over; /* nothing was under way before the call */
	/* of a plan: src/layers/hdf5/hdf5_adjust.h */
	bool adjusted, muted, tried; /* without the settings that are risky */
	bool is_lent; /* the copy is used again, and not closed */
	const void *caller;
	long fcpl, dcpl, dapl, space;
	struct weir_hdf5_hush mute; /* if it is muted */
	struct weir_hdf5_swap swaps[2];
	uint8_t fates[WEIR_HDF5_KNOBS]; /* by knob */
};

#define WEIR_HDF5_ROLE(role)                                                   \
	bool weir_hdf5_##role##_before(struct weir_layer *on,                  \
				       struct weir_hdf5_args *args);           \
	void weir_hdf5_##role##_after(struct weir_layer *on,                   \
				      struct weir_hdf5_args *args)

WEIR_HDF5_ROLE(plain);	  /* nothing that we follow changes */
WEIR_HDF5_ROLE(link);	  /* what had no name may have one now */
WEIR_HDF5_ROLE(setting);  /* not on a file or a part of one */
WEIR_HDF5_ROLE(object);	  /* the result is part of a file */
WEIR_HDF5_ROLE(nameless); /* the same, and to ask its name costs I/O */
WEIR_HDF5_ROLE(close);
WEIR_HDF5_ROLE(release); /* the same, of what may be no object at all */
WEIR_HDF5_ROLE(file);	 /* the result is a file */
WEIR_HDF5_ROLE(reopen);
WEIR_HDF5_ROLE(file_close);
WEIR_HDF5_ROLE(flush);
WEIR_HDF5_ROLE(transfer);
WEIR_HDF5_ROLE(multi);	   /* several transfers at once */
WEIR_HDF5_ROLE(attribute); /* one is read or written */
WEIR_HDF5_ROLE(chunk_write);
WEIR_HDF5_ROLE(chunk_read);
WEIR_HDF5_ROLE(extent); /* a dataset may have another shape now */
WEIR_HDF5_ROLE(fapl_mpio);
WEIR_HDF5_ROLE(dxpl_mpio);
WEIR_HDF5_ROLE(events); /* an event set is made, */
WEIR_HDF5_ROLE(ended);	/* may show that its operations are over, */
WEIR_HDF5_ROLE(events_close);
WEIR_HDF5_ROLE(shut); /* all ids are gone, and will be given anew */

/* With the role of a call that may hand over what it is for. */
void weir_hdf5_handover_before(struct weir_layer *on,
			       struct weir_hdf5_args *args);
void weir_hdf5_handover_after(struct weir_layer *on,
			      struct weir_hdf5_args *args);

/* Settings of a plan are applied to lists of the call. */
#define WEIR_HDF5_STATION(name)                                                \
	void weir_hdf5_adjust_##name##_before(struct weir_hdf5_args *args);    \
	bool weir_hdf5_adjust_##name##_again(struct weir_hdf5_args *args);     \
	void weir_hdf5_adjust_##name##_look(struct weir_hdf5_args *args,       \
					    long ret);                         \
	void weir_hdf5_adjust_##name##_after(                                  \
		struct weir_layer *on, struct weir_hdf5_args *args, long ret)

WEIR_HDF5_STATION(file);
WEIR_HDF5_STATION(dataset);
WEIR_HDF5_STATION(transfer);

bool weir_hdf5_transfer_writes(uint16_t call);

/*
 * Calls that are not recorded, but change what we remember: of a dataspace,
 * and of a type.
 */
struct weir_hdf5_change {
	const void *from; /* the function of the library */
	long select;
	int op;
	const void *start, *stride, *count, *block;
};

void weir_hdf5_select(const struct weir_hdf5_change *change);
void weir_hdf5_alter(const struct weir_hdf5_change *change);
void weir_hdf5_retype(const struct weir_hdf5_change *change);

/* Dimensions as the program passed them, args->rank of them. */
void weir_hdf5_encode_dims(struct weir_encoded *detail,
			   const struct weir_hdf5_args *args, const void *dims);

/* What a call says of an event set, if it does. */
void weir_hdf5_encode_left(struct weir_encoded *detail,
			   const struct weir_hdf5_args *args, const void *left);
void weir_hdf5_encode_fault(struct weir_encoded *detail,
			    const struct weir_hdf5_args *args,
			    const void *fault);

#endif
