#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `./dev demo` shows: a slow parallel program is recorded, explained,
# cured by a plan, proven right, and made faster still by forwarding.
# usage: demo.sh BUILD DIRECTORY
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
PATH=$build:$build/kernels:$PATH

# A slow file system on any machine: each request takes half a millisecond.
slow='--forward=. --policy through --backend throttle:latency=0.5ms'
smooth='--forward=. --backend throttle:latency=0.5ms'

say() {
	printf '\n== %s\n' "$*"
}

# show LINES COMMAND: the command, and the first lines of what it prints
show() {
	printf '\n$ %s\n' "$2"
	sh -c "$2" >output 2>&1 || {
		cat output
		return 1
	}
	head -n "$1" output
	[ "$(wc -l <output)" -le "$1" ] || echo '...'
	rm output
}

has() {
	command -v "$1" >/dev/null
}

# What runs on which MPI: that of the kernels, started by its own launcher.
choose_program() {
	for mpi in mpich openmpi; do
		has "vorpal-$mpi" || continue
		launcher=mpirun.$mpi
		has "$launcher" || launcher=mpirun
		has "$launcher" && use_vorpal && return
	done
	if has columns-serial; then
		say 'without MPI and its HDF5: a serial program is shown'
		use_columns
	else
		say 'without MPI and HDF5: a serial program is shown'
		use_python
	fi
}

# Two ranks write blocks of a field, each for itself: many small pieces.
use_vorpal() {
	program="$launcher -n 2 vorpal-$mpi --mode independent --steps 1 \
field.h5"
	record="--backtrace $slow"
	bare=before
	setting='<transfer_mode opt-in="yes"
      proof="before">collective</transfer_mode>'
	compared=$slow
	[ "$mpi" = openmpi ] || return 0
	# OMPIO locks the file for each piece, ROMIO does not
	export OMPI_MCA_io=romio321 OMPI_MCA_rmaps_base_oversubscribe=1
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# A table stored by rows is read by columns: the chunk cache is too small.
use_columns() {
	program='columns-serial field.h5'
	record=
	bare=
	setting='<chunk_cache>1031,16M,1</chunk_cache>'
	compared=
}

# Records of 64 bytes are written one by one, which no plan can cure.
use_python() {
	python=/usr/bin/python3 # a wrapper found first would add its own I/O
	[ -x $python ] || python=python3
	cat >records.py <<-'END'
		import os

		fd = os.open("field.dat", os.O_RDWR | os.O_CREAT, 0o644)
		for i in range(5000):
		    os.pwrite(fd, bytes(64), 64 * i)
		os.close(fd)
	END
	program="$python records.py"
	record=$slow
	bare=before
	setting=
}

# Without Mini-XML weir has no plans.
can_plan() {
	[ -n "$setting" ] && weir plan params >/dev/null 2>&1
}

write_plan() {
	cat >plan.xml <<-END
		<plan>
		  <hdf5>
		    $setting
		  </hdf5>
		</plan>
	END
}

show_steer() {
	say 'Steer: a plan for it, and proof that it is safe and the file right'
	write_plan
	show 20 'cat plan.xml'
	show 20 'weir plan show plan.xml'
	show 20 "weir run --plan plan.xml --verify${compared:+ $compared} -o after -- \
$program"
	show 22 'weir compare before after'
}

# Forwarding is for slow file systems, and for those who write.
show_smooth() {
	say 'Smooth: writes go through memory (forwarding)'
	if [ -z "$bare" ]; then
		use_python
		bare=bare
		show 12 "weir run $slow -o $bare -- $program"
	fi
	show 12 "weir run $smooth -o smooth -- $program"
	show 20 "weir compare $bare smooth"
}

choose_program
case $record in
*throttle*) say 'the file system is slow: each request takes 0.5 ms' ;;
esac
say 'See: record it'
show 12 "weir run${record:+ $record} -o before -- $program"
say 'Explain: where the time went, and what would help'
show 24 'weir report before'
slowest=$(weir report before | sed -n 's/.*see weir dump --of \([0-9.]*\).*/\1/p' |
	head -n 1)
[ -z "$slowest" ] || show 12 "weir dump --tree --of $slowest before"
if can_plan; then
	show_steer
elif [ -n "$setting" ]; then
	say 'this weir is built without plans (Mini-XML)'
fi
show_smooth
if weir report --html report.html before 2>no-page; then
	say "The page of the first run: $PWD/report.html"
else
	say 'no page:' "$(cat no-page)"
fi
