/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The door for the objects that record other libraries' calls (MPI-IO, HDF5,
 * PnetCDF). They are built with this one and never without it. A wrapper
 *
 *	if (!weir_layer_begin(&on, call, handle, __builtin_frame_address(0)))
 *		return next(...);
 *	ret = next(...);
 *	if (weir_layer_end(&on)) {
 *		d = weir_layer_detail(&on);	(and weir_encode_* into it)
 *		on.args.size = ...; on.args.ret = ...;
 *		weir_layer_put(&on);
 *	}
 *
 * All keep errno. Between end and put the thread is ours: nothing that does
 * I/O may be called there.
 */
#ifndef WEIR_CAPTURE_LAYER_H
#define WEIR_CAPTURE_LAYER_H

#include "capture/record/encode.h"
#include "capture/record/pass.h"

struct weir_layer {
	struct weir_pass pass;
	struct weir_args args; /* what is told; zeros to begin with */
	bool has_child_detail;
	bool is_vain; /* set before put: a poll that found nothing */
};

/*
 * False: the call is passed on and not recorded; so is a call that is open
 * already, under another name of its own.
 */
WEIR_GATE_DOOR bool weir_layer_begin(struct weir_layer *on, uint16_t call,
				      uint32_t handle, const void *frame);

/* The same for a library that may call itself: from a callback, say. */
WEIR_GATE_DOOR bool weir_layer_enter(struct weir_layer *on, uint16_t call,
				     uint32_t handle, const void *frame);

/* As weir_layer_begin(), of a call that may turn out to be a poll. */
WEIR_GATE_DOOR bool weir_layer_ask(struct weir_layer *on, uint16_t call,
				   uint32_t handle, const void *frame);

/* Whether weir_layer_begin() was refused as that call is open already. */
WEIR_GATE_DOOR bool weir_layer_is_open(uint16_t call);

/* True: the call is to be told, and weir_layer_put() must follow. */
WEIR_GATE_DOOR bool weir_layer_end(struct weir_layer *on);
WEIR_GATE_DOOR struct weir_encoded *weir_layer_detail(struct weir_layer *on);
WEIR_GATE_DOOR void weir_layer_put(struct weir_layer *on);

/*
 * After end: a handle of this name for what the call has opened, and its
 * record is about that. Relative names begin at the working directory. An
 * object within a file is called FILE:/path, and filtered as the file is; 0
 * never comes back.
 */
WEIR_GATE_DOOR uint32_t weir_layer_handle(struct weir_layer *on,
					   const char *name);

/* After end: the call turns out to be on this handle. */
WEIR_GATE_DOOR void weir_layer_about(struct weir_layer *on, uint32_t handle);

/*
 * After end: a record of something that the call did or learned, one level
 * below it and at its end. args->call says what; its detail is begun before.
 */
WEIR_GATE_DOOR struct weir_encoded *
weir_layer_child_detail(struct weir_layer *on);
WEIR_GATE_DOOR void weir_layer_derive(struct weir_layer *on, uint32_t handle,
				       const struct weir_args *args);

/* False: a system call of ours may end the program (gate/confined.h). */
WEIR_GATE_DOOR bool weir_layer_may_ask(void);

/* See weir_traits_set(). */
WEIR_GATE_DOOR void weir_layer_trait(const char *key, const char *value);

#endif
