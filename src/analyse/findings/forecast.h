/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models what a run would take if a service on the node stored later what it
 * writes. Pure; all times are ns.
 */
#ifndef WEIR_FINDINGS_FORECAST_H
#define WEIR_FINDINGS_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it costs a program: copying, asking for room, handing a file over. */
#define WEIR_FORECAST_BYTES_OF_NS 7 /* 0.15 ms a MiB */
#define WEIR_FORECAST_WRITE	  UINT64_C(500)
#define WEIR_FORECAST_OPEN	  UINT64_C(200000)

/* All processes in one step of time. */
struct weir_forecast_step {
	uint64_t at;   /* when it begins */
	uint64_t busy; /* in writes, closes and syncs, of who spends most */
	uint64_t syncing; /* in syncs, of all; it stays as it is */
	uint64_t writes, bytes;
	uint32_t writers; /* processes */
	uint32_t closes, syncs;
};

struct weir_forecast_service {
	uint64_t cache;
	uint64_t request; /* a request takes so long, and a MiB: */
	uint64_t mib;
	bool is_async; /* closes do not wait */
};

/* How it went. */
struct weir_forecast_course {
	uint64_t copying, syncing; /* of each process */
	uint64_t waiting; /* for room in the cache */
	uint64_t closing; /* for what is to be stored by then */
	uint64_t peak;	  /* bytes that were kept at most */
};

/* Steps are in order. */
struct weir_forecast_course
weir_forecast_play(const struct weir_forecast_step *steps, size_t count,
		   const struct weir_forecast_service *service);

/* How what is written comes to the file system. */
enum weir_forecast_case {
	WEIR_FORECAST_HIDDEN,	 /* while the program does something else */
	WEIR_FORECAST_SUSTAINED, /* as fast as it takes it */
	WEIR_FORECAST_CRAMPED,	 /* hidden, if the cache were larger */
};

/* The first that is true. */
enum weir_forecast_why {
	WEIR_FORECAST_NOTHING,	   /* is written */
	WEIR_FORECAST_DONE,	   /* it was forwarded */
	WEIR_FORECAST_HOSTS,	   /* several: a service serves one */
	WEIR_FORECAST_MAPPED,	   /* all of it; or by asynchronous calls */
	WEIR_FORECAST_SYNCHRONOUS, /* opened for writes that wait */
	WEIR_FORECAST_LOCAL,	   /* the kernel does the same */
	WEIR_FORECAST_CHEAP,	   /* where it lies is not known, but: */
	WEIR_FORECAST_LITTLE,	   /* is to be gained */
	WEIR_FORECAST_UNTIMED,	   /* nobody knows how long writes take */
	WEIR_FORECAST_HELPS,
};

/* What is told of a run. */
struct weir_forecast {
	enum weir_forecast_why why;
	enum weir_forecast_case form;
	/* in writes, and closes and syncs after them, of who spends most */
	uint64_t now, then;
	uint64_t closing;   /* of then: for what has to be stored */
	uint64_t async;	    /* then, if closes did not wait */
	uint64_t rate;	    /* bytes that it takes in a second */
	bool is_measured;   /* by the run's own large writes */
	uint64_t cache;	    /* that would be enough; 0: it is */
	uint64_t writes;    /* that it would have */
	/* that services on each node would store them by, and one for all: */
	uint64_t requests, joined;
	/* what the most time is spent on lies there; NULL: not known */
	const char *point, *type;
};

/* What to call them. */
const char *weir_forecast_case_name(enum weir_forecast_case form);
const char *weir_forecast_why_name(enum weir_forecast_why why);

/* Plays it with caches of several sizes; now is there, then becomes known. */
void weir_forecast_conclude(struct weir_forecast *forecast,
			    const struct weir_forecast_step *steps,
			    size_t count,
			    const struct weir_forecast_service *service);

#endif
