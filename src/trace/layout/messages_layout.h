/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out events `hdf5_messages`: what a process sent to other ranks. */
#ifndef WEIR_LAYOUT_MESSAGES_LAYOUT_H
#define WEIR_LAYOUT_MESSAGES_LAYOUT_H

/* Why they may not tell all; numbers are for ever. */
enum weir_messages_doubt {
	WEIR_MESSAGES_ANY = 1,	   /* received from whoever comes */
	WEIR_MESSAGES_HIDDEN = 2,  /* windows, requests that are started */
	WEIR_MESSAGES_STRANGE = 4, /* a communicator nobody has seen made */
	WEIR_MESSAGES_THREADS = 8, /* several threads send and receive */
	WEIR_MESSAGES_PROBED = 16, /* waited for, and not received yet */
};

#endif
