#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Launchers of parallel programs: what they start is recorded, not they.

load common

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Another Open MPI that ends would remove the folder that all use. The name is
# short: there are sockets below it.
setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	OMPI_MCA_orte_tmpdir_base=$(mktemp -d /tmp/ompi.XXXXXX)
	export OMPI_MCA_orte_tmpdir_base
}

teardown() {
	rm -rf "$OMPI_MCA_orte_tmpdir_base"
}

# with_each FUNCTION: with the words of each launcher before its programs
with_each() {
	command -v mpirun.mpich mpirun.openmpi >/dev/null ||
		skip 'neither MPICH nor Open MPI is installed'
	# MPICH's launcher dies of SIGPIPE, now and then, where its input ends
	# and a rank is gone already: one that never ends
	[ -p quiet ] || mkfifo quiet
	for launcher in mpirun.mpich 'mpirun.openmpi --oversubscribe'; do
		command -v "${launcher%% *}" >/dev/null || continue
		rm -rf trace
		"$1" <>quiet || {
			echo "with $launcher"
			weir info trace
			return 1
		}
	done
}

two_ranks() {
	# shellcheck disable=SC2086 # a list of words
	weir run -q -o trace -- $launcher -n 2 cat /etc/hostname &&
		weir info trace | grep -q 'processes  2, .* 1 program: cat 2'
}

@test "the ranks are recorded, and nothing of the launcher" {
	with_each two_ranks
}

two_programs() {
	# shellcheck disable=SC2086
	weir run -q -o trace -- $launcher -n 1 cat /etc/hostname : -n 2 \
		head -c 3 /etc/hostname &&
		weir info trace | grep -q 'programs: .*cat 1' &&
		weir info trace | grep -q 'programs: .*head 2'
}

@test "programs on both sides of a colon are recorded" {
	with_each two_programs
}

in_a_script() {
	weir run -q -o trace -- sh -c "$launcher -n 2 cat /etc/hostname" &&
		weir info trace | grep -q 'processes  3, .* cat 2, dash 1'
}

@test "launchers that a script starts are not recorded" {
	with_each in_a_script
}

with_a_rule() {
	# shellcheck disable=SC2086
	weir run -q -o trace --exclude '*/hostname' -- $launcher -n 1 \
		cat /etc/hostname &&
		[ "$(weir dump trace | grep -c /etc/hostname)" = 0 ]
}

with_sums() {
	# shellcheck disable=SC2086
	weir run -q --profile -o trace -- $launcher -n 1 cat /etc/hostname &&
		weir report trace | grep -q /etc/hostname
}

@test "rules and manner reach the ranks" {
	with_each with_a_rule
	with_each with_sums
}

@test "on a node where the trace was not begun the shim begins it" {
	WEIR_LIVE=/nowhere WEIR_TRACE=/else weir exec --files 'all' \
		"$PWD/trace,1M" cat /etc/hostname
	settle trace
	weir dump trace | grep -q 'open("/etc/hostname"'
}

@test "an option that is not known is told, and the job runs" {
	mkdir bin
	printf '#!/bin/sh\nshift 2\nexec "$@"\n' >bin/srun
	chmod +x bin/srun
	PATH=$PWD/bin:$PATH run weir run -o trace -- srun --unheard 3 \
		cat /etc/hostname
	status_is 0
	says 'option --unheard is not known'
	weir dump trace | grep -q 'open("/etc/hostname"'
}

@test "srun's forms of options are understood" {
	mkdir bin
	cat >bin/srun <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
exec "$@"
END
	chmod +x bin/srun
	PATH=$PWD/bin:$PATH weir run -q -o trace -- srun -n1 --mem=4G --label \
		cat /etc/hostname
	weir info trace | grep -q 'program.*: .*cat 1'
}

@test "a program that is not there is told by its name" {
	run weir exec "$PWD/trace,1M" no-such-program
	status_is 127
	says 'cannot run no-such-program'
}

@test "where its plan cannot be read a program is not started" {
	run weir exec --plan "$PWD/none" "$PWD/trace,1M" touch started
	status_is 5
	says 'cannot run touch by the plan'
	[ ! -e started ]
}
