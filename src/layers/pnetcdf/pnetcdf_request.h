/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the transfers that were asked for and not waited for yet. */
#ifndef WEIR_PNETCDF_PNETCDF_REQUEST_H
#define WEIR_PNETCDF_PNETCDF_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define WEIR_PNETCDF_NONE UINT32_MAX

/* How many requests a wait is for, when it does not count them. */
enum {
	WEIR_PNETCDF_ALL = -1,
	WEIR_PNETCDF_ALL_READS = -2,
	WEIR_PNETCDF_ALL_WRITES = -3,
};

/* Requests of one wait are joined in a chain; each is in one at most. */
struct weir_pnetcdf_request {
	uint64_t id, bytes;
	uint32_t handle;
	uint32_t next;	/* of the chain, or WEIR_PNETCDF_NONE */
	uint32_t place; /* in the list of the wait */
	int ncid, number;
	bool writes;
};

/* What a request is called in the trace: the library's numbers are a file's. */
uint64_t weir_pnetcdf_request_id(int ncid, int number);

/* What is asked for is told; where there is no room it is never seen done. */
void weir_pnetcdf_request_add(const struct weir_pnetcdf_request *request);

/*
 * Before a wait: chain the requests it is for, by number or all of a file.
 * Returns the first. Numbers are gone from the list afterwards.
 */
uint32_t weir_pnetcdf_request_chain(int ncid, int many, const int *numbers);

const struct weir_pnetcdf_request *weir_pnetcdf_request_get(uint32_t at);

/* It is done; returns the next of its chain. */
uint32_t weir_pnetcdf_request_remove(uint32_t at);

/* The file is closed. */
void weir_pnetcdf_request_drop(int ncid);

#endif
