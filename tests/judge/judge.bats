#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# ./dev judge: what it says of programs whose answer is known.

load ../cli/common

# program NAME: from stdin
program() {
	mkdir -p folder
	{
		echo '#!/bin/sh'
		cat
	} >"folder/$1"
	chmod +x "folder/$1"
}

judge() {
	run "$JUDGE" --weir "$WEIR" "$@"
}

# answers NAME WORD: the row of NAME says WORD
answers() {
	printf '%s\n' "$output" | grep -q "^$1  *$2\$" || {
		printf 'expected of %s: %s\n%s\n' "$1" "$2" "$output"
		return 1
	}
}

@test "status, output and files are compared" {
	program good <<'END'
echo some text; echo more >&2; echo data >file; mkdir -p a/b; exit 3
END
	program status <<'END'
[ -z "$WEIR_TRACE" ]
END
	program output <<'END'
echo "traced: ${WEIR_TRACE:+yes}"
END
	program files <<'END'
echo "${WEIR_TRACE:+x}" >left
END
	judge folder
	status_is 1
	answers good same
	answers status DIFFERS
	says 'status: bare 0, weir 1'
	answers output DIFFERS
	says 'weir: traced: yes'
	answers files DIFFERS
	says 'left: bare'
	says '4 runs: 3 DIFFERS, 1 same'
	rm folder/status folder/output folder/files
	judge folder
	status_is 0
}

@test "times, pids and places are masked, other figures are not" {
	program masked <<'END'
echo "took $(date +%N) us at $(date +%H:%M:%S), pid $$ in $PWD"
echo "time of ranks: $(date +%N) $(date +%N)"
END
	program value <<'END'
echo "residual 0.${WEIR_TRACE:+1}5"
END
	judge folder
	answers masked same
	answers value DIFFERS
}

@test "what varies by itself is told apart" {
	program random <<'END'
od -An -tx4 -N8 /dev/urandom
END
	program bandwidths <<'END'
echo "12 $(date +%s.%N)"
END
	program both <<'END'
od -An -tx4 -N8 /dev/urandom
exit ${WEIR_TRACE:+1}
END
	judge folder
	status_is 1
	answers random varies
	answers bandwidths same
	says 'but for figures'
	answers both DIFFERS
}

@test "what does not end is told apart" {
	program never <<'END'
exec sleep 600
END
	program never-recorded <<'END'
[ -z "$WEIR_TRACE" ] || exec sleep 600
END
	judge --timeout 5 folder
	status_is 1
	answers never 'times out'
	answers never-recorded HANGS
}

@test "a table says how programs are started" {
	program show <<'END'
echo "$@" >arguments
END
	cat >folder/judge <<'END'
# twice the same program
show: env A=1
show: {} one 'two three'   # with arguments
END
	judge folder
	status_is 0
	says '2 runs: 2 same'
	echo 'other: env' >>folder/judge
	judge folder
	status_is 1
	says 'judge:4: '
}

@test "an empty folder is no success" {
	mkdir folder
	judge folder
	status_is 2
	judge nowhere
	status_is 1
}

@test "parallel programs of both MPIs" {
	[ -x "$KERNELS/contig-mpich" ] && [ -x "$KERNELS/contig-openmpi" ] ||
		skip 'the kernels are not built'
	mkdir folder
	cp "$KERNELS/contig-mpich" "$KERNELS/contig-openmpi" folder
	program differs <<'END'
exec "$(dirname "$0")/contig-mpich" --phases ${WEIR_TRACE:+2}1 data
END
	cat >folder/judge <<'END'
contig-mpich: mpirun.mpich -n 2 {} --phases 2 --api mpiio data
contig-openmpi: mpirun.openmpi --oversubscribe -n 2 {} --phases 2 data
differs: mpirun.mpich -n 1
END
	judge --timeout 120 folder
	status_is 1
	answers contig-mpich same
	answers contig-openmpi same
	answers differs DIFFERS
	says '3 runs: 1 DIFFERS, 2 same'
}

@test "without a table an MPI program is started by its own launcher" {
	[ -x "$KERNELS/contig-mpich" ] || skip 'the kernels are not built'
	mkdir folder
	cp "$KERNELS/contig-mpich" folder
	judge --timeout 120 folder # without a file's name it only complains
	status_is 0
	says 'contig-mpich -n 1  same'
	says 'contig-mpich -n 2  same'
}
