/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands files over to the service, without costing a process its locks. */
#ifndef WEIR_FILES_HANDOVER_H
#define WEIR_FILES_HANDOVER_H

#include <stdint.h>

/* A file on its way to the service. */
struct weir_handover {
	int fd, flags;
	const char *name;
	uint32_t open; /* set */
	int ret;       /* set */
};

/* 0 or -errno: then the kernel has it. */
int weir_handover(struct weir_handover *file);

/* One that is open already, under the name that the kernel has for it. */
int weir_handover_fd(int fd, uint32_t *ret_open);

#endif
