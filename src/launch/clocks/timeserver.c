/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the collectors of other hosts the time, by packets of UDP. */
#include "launch/clocks/timeserver.h"

#include "base/clock.h"
#include "launch/programs/launcher.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

bool weir_timeserver_is_wanted(const char *command)
{
	static const char *const signs[] = {
		"PMI_RANK",  "PMIX_RANK",   "OMPI_COMM_WORLD_RANK",
		"RANK",	     "SLURM_PROCID", "SLURM_JOB_ID",
		"PBS_JOBID", "LSB_JOBID",   "PE_HOSTFILE",
	};

	if (command && weir_launcher_find(command))
		return true;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (getenv(signs[i]))
			return true;
	return false;
}

/* Of both kinds of addresses, or of the old kind where there is no other. */
static int open_socket(int *ret_fd, uint16_t *ret_port)
{
	struct sockaddr_in6 both = { .sin6_family = AF_INET6 };
	struct sockaddr_in old = { .sin_family = AF_INET };
	socklen_t size = sizeof(both);
	int no = 0, err, type = SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
	int fd = socket(AF_INET6, type, 0);

	if (fd >= 0 &&
	    (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no)) ||
	     bind(fd, (struct sockaddr *)&both, sizeof(both)))) {
		close(fd);
		fd = -1;
	}
	if (fd < 0) {
		fd = socket(AF_INET, type, 0);
		if (fd < 0)
			return -errno;
		if (bind(fd, (struct sockaddr *)&old, sizeof(old)))
			goto close_fd;
	}
	if (getsockname(fd, (struct sockaddr *)&both, &size))
		goto close_fd;
	*ret_fd = fd;
	*ret_port = ntohs(both.sin6_port); /* both kinds have it there */
	return 0;

close_fd:
	err = -errno;
	close(fd);
	return err;
}

int weir_timeserver_open(struct weir_timeserver *server,
			 const struct weir_tracedir *place)
{
	int err = weir_timecard_path(place, server->path);

	err = err ?: weir_timecard_make(&server->card);
	err = err ?: open_socket(&server->fd, &server->card.port);
	if (err)
		return err;
	server->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (server->stop_fd < 0) {
		err = -errno;
		goto close_socket;
	}
	err = weir_timecard_write(&server->card, server->path);
	if (err)
		goto close_stop;
	server->is_open = true;
	return 0;

close_stop:
	close(server->stop_fd);
close_socket:
	close(server->fd);
	return err;
}

static uint64_t time_of_day(const struct weir_timeserver *server)
{
	return weir_clock_ns(CLOCK_MONOTONIC) + server->card.ahead;
}

/* As long for a wrong one as for the right one. */
static bool is_our_token(const uint8_t *token, const uint8_t *ours)
{
	uint8_t differ = 0;

	for (int i = 0; i < WEIR_TIMECARD_TOKEN; i++)
		differ |= token[i] ^ ours[i];
	return !differ;
}

/* An answer is never longer than what was asked. */
static void answer_one(const struct weir_timeserver *server)
{
	struct sockaddr_storage from;
	struct weir_timecard_packet packet;
	socklen_t size = sizeof(from);
	ssize_t got = recvfrom(server->fd, &packet, sizeof(packet), MSG_TRUNC,
			       (struct sockaddr *)&from, &size);

	packet.received = htobe64(time_of_day(server));
	if (got != (ssize_t)sizeof(packet) ||
	    !is_our_token(packet.token, server->card.token))
		return;
	packet.answered = htobe64(time_of_day(server));
	/* Lost or not sent, it is the same to who asked. */
	if (sendto(server->fd, &packet, sizeof(packet), 0,
		   (struct sockaddr *)&from, size) < 0)
		return;
}

static void *serve(void *arg)
{
	struct weir_timeserver *server = arg;
	struct pollfd news[] = {
		{ .fd = server->fd, .events = POLLIN },
		{ .fd = server->stop_fd, .events = POLLIN },
	};

	while (!news[1].revents)
		if (poll(news, 2, -1) > 0 && news[0].revents)
			answer_one(server);
	return NULL;
}

/* Signals are for the others. */
int weir_timeserver_start(struct weir_timeserver *server)
{
	sigset_t all, ours;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &ours);
	err = -pthread_create(&server->thread, NULL, serve, server);
	pthread_sigmask(SIG_SETMASK, &ours, NULL);
	server->is_running = !err;
	return err;
}

void weir_timeserver_close(struct weir_timeserver *server)
{
	if (!server->is_open)
		return;
	unlink(server->path);
	if (server->is_running && !eventfd_write(server->stop_fd, 1))
		pthread_join(server->thread, NULL);
	close(server->stop_fd);
	close(server->fd);
	server->is_open = server->is_running = false;
}
