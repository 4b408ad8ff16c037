#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which objects are preloaded into which programs, and what ranks tell.
# Stand-ins without any code are enough to see where they go.

load common

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# A library of weir's with objects beside it, and programs with libraries that
# are called like those of MPI and others. Each prints what is preloaded.
make_stage() {
	mkdir stage
	cp "$LIBWEIR" stage/libweir.so
	for name in mpi hdf5 pnetcdf; do
		echo 'int weir_stand_in;' >empty.c
		cc -shared -fPIC -o "stage/libweir-$name.so" empty.c
	done
	export WEIR_LIBRARY=$PWD/stage/libweir.so
	cat >show.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	const char *list = getenv("LD_PRELOAD");

	return printf("preloaded: %s\n", list ? list : "") < 0;
}
END
	cc -o plain show.c
	cc -static -o static show.c
}

# make_library NAME [LIBRARY]: one that needs the other
make_library() {
	cc -shared -fPIC -Wl,-soname,"$1" -o "$1" empty.c -Wl,--no-as-needed \
		${2:+"./$2"} -Wl,-rpath,"$PWD"
}

# make_program NAME LIBRARY
make_program() {
	cc -o "$1" show.c -Wl,--no-as-needed "./$2" -Wl,-rpath,"$PWD"
}

# preloaded WORD...: the last `run` printed these of our objects, in order
preloaded() {
	seen=$(printf '%s\n' "$output" | sed -n 's/^preloaded: //p' | head -n 1 |
		tr ':' '\n' | sed -n 's/.*\/libweir\(-\(.*\)\)\?\.so$/\2/p' |
		tr '\n' ' ')
	[ "$seen" = "$*" ] || {
		printf 'expected: %s\nseen:     %s\n%s\n' "$*" "$seen" \
			"$output"
		return 1
	}
}

# record COMMAND...
record() {
	rm -rf trace
	run weir run -q -o trace "$@"
	status_is 0
}

@test "a program gets what it is linked with, also indirectly" {
	make_stage
	make_library libmpi.so.40
	make_library libmpich.so.12
	make_library libhdf5_serial.so.103
	make_library libhdf5_mpich.so.103 libmpich.so.12
	make_library libnetcdf.so.19 libhdf5_serial.so.103
	make_library libpnetcdf.so.4 libmpi.so.40
	make_program openmpi libmpi.so.40
	make_program mpich libmpich.so.12
	make_program hdf5 libhdf5_serial.so.103
	make_program parallel libhdf5_mpich.so.103
	make_program netcdf libnetcdf.so.19
	make_program pnetcdf libpnetcdf.so.4
	record ./plain && preloaded '' ''
	record ./openmpi && preloaded '' mpi ''
	record ./mpich && preloaded '' mpi ''
	record ./hdf5 && preloaded '' hdf5 ''
	record ./parallel && preloaded '' mpi hdf5 ''
	record ./netcdf && preloaded '' hdf5 ''
	record ./pnetcdf && preloaded '' mpi pnetcdf ''
}

@test "scripts, interpreters and wrappers get all" {
	make_stage
	printf '#!/bin/sh\n./plain\n' >script
	printf './plain\n' >text
	chmod +x script text
	ln -s "$(command -v env)" other-name
	for command in ./script ./text 'sh ./script' 'env ./plain' \
		'timeout 60 ./plain' './other-name ./plain'; do
		# shellcheck disable=SC2086 # a list of words
		record -- $command
		preloaded '' mpi hdf5 pnetcdf ''
	done
	make_library libpython3.11.so.1.0
	make_program embeds libpython3.11.so.1.0
	record ./embeds
	preloaded '' mpi hdf5 pnetcdf ''
}

@test "who gets all gets them in one object, if there is one" {
	make_stage
	cp stage/libweir-mpi.so stage/libweir-layers.so
	record -- sh -c ./plain
	preloaded '' layers ''
	record --layers all ./plain
	preloaded '' layers ''
	record --layers hdf5,mpi ./plain
	preloaded '' mpi hdf5 ''
	record -- sh -c "'$WEIR' run -q -o inner ./plain"
	preloaded '' ''
}

# intercepted OBJECT...: what these stand before
intercepted() {
	for object; do
		nm -D --defined-only "${LIBWEIR%.so}-$object.so"
	done | awk '{ print $2, $3 }' | grep -v weir_ | sort -u
}

@test "the object that has all has what the others have" {
	intercepted mpi hdf5 pnetcdf >apart
	intercepted layers >together
	[ "$(wc -l <apart)" -gt 500 ]
	diff apart together
}

@test "--layers says which" {
	make_stage
	record --layers all ./plain
	preloaded '' mpi hdf5 pnetcdf ''
	record --layers hdf5,mpi ./plain
	preloaded '' mpi hdf5 ''
	record --layers none -- sh -c ./plain
	preloaded '' ''
	record --layers auto ./plain
	preloaded '' ''
	run weir run --layers mpi,posix -o other ./plain
	status_is 2
	says "--layers does not take 'posix', only mpi, hdf5, pnetcdf"
	[ ! -e other ]
}

@test "a recorded program's own weir run chooses anew" {
	make_stage
	record -- sh -c "'$WEIR' run -q -o inner ./plain"
	preloaded '' ''
}

@test "an object that is missing is told once" {
	make_stage
	rm stage/libweir-hdf5.so
	record -- sh -c ./plain
	preloaded '' mpi pnetcdf ''
	says 'HDF5 calls are not recorded: libweir-hdf5.so is not beside'
	[ "$(printf '%s\n' "$output" | grep -c 'not beside')" = 1 ]
	record ./plain
	[ "$(printf '%s\n' "$output" | grep -c 'not beside')" = 0 ]
}

# Starts its program twice, as ranks of a step, and shows what it was given.
make_srun() {
	mkdir bin
	cat >bin/srun <<'END'
#!/bin/sh
echo "srun: $LD_PRELOAD"
while [ "${1#-}" != "$1" ]; do shift; done
for rank in 0 1; do
	SLURM_PROCID=$rank SLURM_NTASKS=2 SLURM_JOB_ID=77 SLURM_STEP_ID=3 "$@"
done
END
	chmod +x bin/srun
	PATH=$PWD/bin:$PATH
}

@test "the ranks' program decides, and the launcher gets nothing" {
	make_stage
	make_srun
	make_library libmpi.so.40
	make_program openmpi libmpi.so.40
	make_library libhdf5.so.1
	make_program hdf5 libhdf5.so.1
	record -- srun -n2 ./openmpi
	preloaded '' mpi ''
	says 'srun: '
	[ "$(printf '%s\n' "$output" | grep -c 'srun: .')" = 0 ]
	record -- srun -n2 ./plain
	preloaded '' ''
	record --layers all -- srun -n2 ./plain
	preloaded '' mpi hdf5 pnetcdf ''
	rm stage/libweir-mpi.so
	record -- srun -n2 ./openmpi
	[ "$(printf '%s\n' "$output" | grep -c 'not beside')" = 1 ]
}

@test "warnings are about the ranks' program" {
	make_stage
	make_srun
	record -- srun -n2 ./static
	says './static is statically linked: nothing of it can be recorded'
	[ "$(printf '%s\n' "$output" | grep -c srun.*static)" = 0 ]
	record -- srun -n2 ./plain
	[ "$(printf '%s\n' "$output" | grep -c warning)" = 0 ]
}

@test "a rule that other nodes are not told is told" {
	make_stage
	make_srun
	record --exclude 'a:b' --exclude '*.log' -- srun -n2 ./plain
	says "there is a colon in --exclude 'a:b'"
	[ "$(printf '%s\n' "$output" | grep -c colon)" = 1 ]
}

# with_each FUNCTION: with the words of each launcher before its programs
with_each() {
	command -v mpirun.mpich mpirun.openmpi >/dev/null ||
		skip 'neither MPICH nor Open MPI is installed'
	[ -p quiet ] || mkfifo quiet # as in parallel.bats
	for launcher in mpirun.mpich 'mpirun.openmpi --oversubscribe'; do
		command -v "${launcher%% *}" >/dev/null || continue
		rm -rf trace ./*.out
		"$1" <>quiet || {
			echo "with $launcher"
			return 1
		}
	done
}

# Whether anything of ours is in the processes above this one.
make_look() {
	cat >look <<'END'
#!/bin/sh
pid=$PPID
while [ "$pid" -gt 1 ]; do
	name=$(cat /proc/$pid/comm)
	case $name in
	*mpi* | hydra* | orte*)
		echo "$name" $(grep -c libweir /proc/$pid/maps) >>above.out
		;;
	esac
	pid=$(sed 's/.*) . //; s/ .*//' /proc/$pid/stat)
done
END
	chmod +x look
}

nothing_above() {
	# shellcheck disable=SC2086 # a list of words
	weir run -q -o trace -- $launcher -n 1 ./look &&
		[ -s above.out ] && [ "$(grep -vc ' 0$' above.out)" = 0 ]
}

@test "nothing is loaded into a real launcher" {
	make_look
	with_each nothing_above
}

inert_in_script() {
	weir run -q --layers all -o trace -- sh -c \
		"$launcher -n 1 cat /etc/hostname : -n 1 head -c 3 /etc/hostname" &&
		weir info trace | grep -q 'processes  3, .* 3 programs' &&
		weir dump --process rank:1 trace | grep -q hostname
}

@test "launchers that a script starts stay inert with all objects" {
	make_stage
	with_each inert_in_script
}

one_directory() {
	# shellcheck disable=SC2086
	$launcher -n 2 "$WEIR" run -o trace -- cat /etc/hostname &&
		weir info trace | grep -q 'processes  2, ' &&
		weir info trace | grep -q 'ranks      2 by 2 processes'
}

named_directory() {
	rm -rf weir-*
	# shellcheck disable=SC2086
	$launcher -n 2 sh -c \
		"'$WEIR' run -- cat /etc/hostname; '$WEIR' run -- cat /etc/hostname" &&
		[ "$(ls -d weir-cat-* | wc -l)" = 2 ] || return 1
	for dir in weir-cat-*; do
		weir info "$dir" | grep -q 'ranks      2 by 2 processes' ||
			return 1
	done
}

@test "ranks that run weir themselves agree on a directory" {
	with_each one_directory
	with_each named_directory
}

@test "a directory of another job is not joined" {
	export SLURM_NTASKS=2 SLURM_PROCID=0 SLURM_STEP_ID=0
	SLURM_JOB_ID=1 weir run -q -o trace true
	SLURM_JOB_ID=1 SLURM_PROCID=1 weir run -q -o trace true
	run env SLURM_JOB_ID=2 SLURM_PROCID=1 "$WEIR" run -o trace true
	status_is 2
	says 'trace is not empty'
	run env SLURM_JOB_ID=1 SLURM_PROCID=1 "$WEIR" run -o trace true
	status_is 2
	unset SLURM_STEP_ID # a job's script is no rank of a step
	run env SLURM_JOB_ID=1 "$WEIR" run -o trace true
	status_is 2
}

@test "ranks without MPI are known as ranks" {
	cat >start <<'END'
#!/bin/sh
for RANK in 0 1 2; do
	RANK=$RANK WORLD_SIZE=3 cat /etc/hostname >/dev/null &
done
wait
END
	weir run -q -o trace -- sh ./start
	weir info trace | grep 'ranks      3 by 3 processes'
	weir info trace | grep 'parallel .*launcher torchrun, size 3'
	weir info --format json trace | grep '"traits": .*"size 3"'
	[ "$(weir dump trace | grep -c '^# process .* is rank . of 3$')" = 3 ]
	weir dump --process rank:2 --format jsonl trace | grep -q '"rank":2'
	[ "$(weir dump --process rank:2 --format jsonl trace |
		grep -c '"rank":[01]')" = 0 ]
	weir report --top 50 trace | grep -q 'rank 1 .*cat'
	weir report --format json trace | grep -q '"rank": *1'
	[ "$(weir report --top 50 --process rank:1 trace | grep -c 'rank [02] ')" = 0 ]
}

@test "a variable that is no rank is none" {
	RANK=first WORLD_SIZE=3 weir run -q -o trace -- cat /etc/hostname
	RANK=1 weir run -q -o trace2 -- cat /etc/hostname
	[ "$(weir info trace | grep -c '^ranks')" = 0 ]
	[ "$(weir info trace2 | grep -c '^ranks')" = 0 ]
}

@test "the ranks of srun and of both MPIs tell who they are" {
	make_srun
	weir run -q -o slurm -- srun -n2 cat /etc/hostname
	weir info slurm | grep 'parallel   launcher slurm, job 77.3, size 2'
	with_each ranks_are_told
}

ranks_are_told() {
	# shellcheck disable=SC2086
	weir run -q -o trace -- $launcher -n 2 cat /etc/hostname &&
		weir info trace | grep -q 'ranks      2 by 2 processes' &&
		weir info trace | grep -q 'parallel .*size 2'
}
