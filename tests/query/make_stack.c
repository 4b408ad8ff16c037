/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a trace of an I/O stack with servers, as told on stdin, a call a line:
 * PROC THREAD CALL DEPTH START DUR RET CID FOR BATCH COLL SEQ TEXT, those of a
 * thread as they end; 0: no CID, FOR, BATCH or COLL, -: no TEXT. PROC from 101
 * on is the first server, numbers of servers' processes follow the clients'.
 * usage: make_stack CLIENTS SERVERS RAW PACKED; -SERVERS: daemons of ours
 */
#include "rawmaker.h"

#include "trace/layout/trace_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64 /* threads */

static const char head[] = "format=1\nweir=0.1.0\nhost=node\"01,\x1b\n"
			   "created=1700000000000000000\nclock=ns\ntick0=0\n"
			   "mono0=0\nreal0=1700000000000000000\n"
			   "mult=4294967296\n";

static const char dictionary[] =
	"kind size - size bytes\n"
	"kind text t detail quoted\n"
	"kind callid o detail hex\n"
	"kind cause u detail hex\n"
	"kind batch u detail decimal\n"
	"kind collkey u detail hex\n"
	"kind collseq o detail decimal\n"
	"kind count - result bytes\n"
	"kind nothing - result none\n"
	"layer mpiio\n"
	"call 10 MPI_File_write_all count write coll:collkey seq:collseq\n"
	"call 11 MPI_File_read count read cid:callid for:callid\n"
	"layer comm\n"
	"call 15 exchange nothing other\n"
	"layer client\n"
	"call 20 client_io count write cid:callid for:callid\n"
	"layer posix\n"
	"call 25 pwrite count write cid:callid for:callid\n"
	"layer server\n"
	"call 30 serve count write cid:callid for:callid\n"
	"layer disk\n"
	"call 40 disk_io count write cid:callid for:callid\n"
	"layer mark\n"
	"call 1900 mark_begin nothing mark name:text\n"
	"call 1901 mark_end nothing mark name:text\n"
	"call 1902 mark_phase nothing mark name:text\n"
	"layer client\n"
	"call 1950 forward count write len:size cid:cause\n"
	"layer serve\n"
	"call 1960 serve_write count write len:size for:cause batch:batch\n"
	"call 1961 serve_stage count write len:size batch:batch\n"
	"call 1964 serve_commit nothing sync for:cause\n"
	"layer backend\n"
	"call 1980 backend_write count write len:size\n";

struct line {
	uint32_t proc, thread, call, depth;
	uint64_t start, dur, ret, cid, cause, batch, coll, seq;
	char text[128];
};

static uint32_t clients, servers;
static int are_ours;
static struct rawmaker threads[MOST];
static unsigned count;

static int read_line(struct line *line)
{
	return scanf("%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu64
		     " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		     " %" SCNu64 " %" SCNu64 " %" SCNu64 " %127s",
		     &line->proc, &line->thread, &line->call, &line->depth,
		     &line->start, &line->dur, &line->ret, &line->cid,
		     &line->cause, &line->batch, &line->coll, &line->seq,
		     line->text) == 13;
}

static struct rawmaker *maker_of(struct weir_store *store, uint32_t proc,
				 uint32_t thread)
{
	for (unsigned i = 0; i < count; i++)
		if (threads[i].proc == proc && threads[i].thread == thread)
			return &threads[i];
	if (count == MOST)
		abort();
	rawmaker_start(&threads[count], store, proc, thread, 0);
	return &threads[count++];
}

/* How files are forwarded: all numbers are there, some are 0. */
static void describe_service(struct rawmaker_detail *detail,
			     const struct line *line)
{
	if (line->call == 1950)
		rawmaker_number(detail, line->cid);
	if (line->call == 1960 || line->call == 1964)
		rawmaker_number(detail, line->cause);
	if (line->call == 1960 || line->call == 1961)
		rawmaker_number(detail, line->batch);
}

static void describe(struct rawmaker_detail *detail, const struct line *line)
{
	if (line->call >= 1950) {
		describe_service(detail, line);
	} else if (line->call >= 1900) {
		rawmaker_text(detail, line->text);
	} else if (line->call == 10) {
		rawmaker_number(detail, line->coll);
		rawmaker_number(detail, line->seq + 1);
	} else if (line->call != 15) {
		rawmaker_number(detail, line->cid ? line->cid + 1 : 0);
		rawmaker_number(detail, line->cause ? line->cause + 1 : 0);
	}
}

static void put(struct weir_store *store, const struct line *line)
{
	struct rawmaker_detail detail = { .used = 0 };
	uint32_t proc = line->proc > 100 ? clients + line->proc - 100 :
					   line->proc;
	struct weir_event event = {
		.call = (uint16_t)line->call, .depth = (uint8_t)line->depth,
		.start = line->start, .dur = line->dur, .size = line->ret,
		.ret = (int64_t)line->ret, .flags = WEIR_EVENT_NOOFF,
	};

	describe(&detail, line);
	rawmaker_put(maker_of(store, proc, line->thread), event, &detail);
}

static void tell_process(struct weir_store *store, uint32_t number)
{
	char text[256];
	int used = snprintf(text, sizeof(text), "pid=%u\nexe=/bin/%s\n"
			    "state=exited\nthread=1 %u 0 0\n", 1000 + number,
			    number > clients ? "server" : "app",
			    1000 + number);

	if (number <= clients)
		snprintf(text + used, sizeof(text) - (size_t)used,
			 "trait.rank=%u\ntrait.size=%u\n", number - 1,
			 clients);
	else if (are_ours)
		snprintf(text + used, sizeof(text) - (size_t)used,
			 "trait.role=server\n");
	rawmaker_block(store, WEIR_BLOCK_PROC, number, text);
}

static void fill(struct weir_store *store)
{
	struct line line;

	rawmaker_block(store, WEIR_BLOCK_HEAD, 0, head);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	for (uint32_t i = 1; i <= clients + servers; i++)
		tell_process(store, i);
	while (read_line(&line))
		put(store, &line);
	for (unsigned i = 0; i < count; i++)
		rawmaker_flush(&threads[i]);
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	clients = (uint32_t)atoi(argv[1]);
	are_ours = atoi(argv[2]) < 0;
	servers = (uint32_t)abs(atoi(argv[2]));
	return rawmaker_main(argc - 2, argv + 2, fill);
}
