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
	answers status 'DIFFERS: status'
	says 'status: bare 0, weir 1'
	answers output 'DIFFERS: stdout'
	says 'weir: traced: yes'
	answers files 'DIFFERS: files'
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
	answers value 'DIFFERS: stdout'
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
	answers both 'DIFFERS: status'
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

@test "every way to differ has a name" {
	program dies <<'END'
[ -z "$WEIR_TRACE" ] || kill -SEGV $$
END
	program order <<'END'
[ -z "$WEIR_TRACE" ] || set -- b
[ $# = 0 ] || echo b; echo a; [ $# != 0 ] || echo b
END
	program stays <<'END'
[ -z "$WEIR_TRACE" ] || setsid sleep 60 >/dev/null 2>&1 &
END
	program errors <<'END'
echo "${WEIR_TRACE:+trouble}" >&2
END
	judge folder
	status_is 1
	answers dies 'DIFFERS: signal'
	answers order 'DIFFERS: order'
	answers stays 'DIFFERS: processes'
	answers errors 'DIFFERS: stderr'
	says '4 runs: 4 DIFFERS'
}

@test "several modes and places in one table, and as JSON" {
	program good <<'END'
seq 1 1000 >file; cat file
END
	program kept <<'END'
echo "${WEIR_FORWARD:+forwarded}"
END
	judge --modes recorded,profile,ring,forward@disk,forward@tmpfs,defer \
		--json found.json folder
	status_is 1
	answers good same
	printf '%s\n' "$output" | grep -q \
		'^folder  2/2  *2/2  *2/2  *1/2 (stdout 1)  *1/2 (stdout 1)'
	says '12 runs: 3 DIFFERS, 9 same'
	python3 - <<'END'
import json
found = json.load(open("found.json"))
kept = next(one for one in found["programs"] if one["name"] == "kept")
assert kept["modes"]["defer"]["classes"] == ["stdout"], kept
assert kept["modes"]["ring"]["answer"] == "same", kept
assert found["counts"] == {"same": 9, "DIFFERS": 3}, found["counts"]
assert found["places"] == {**found["places"], "tmpfs": "tmpfs"}
END
	judge --modes wrong folder
	status_is 1
	says "there is no mode 'wrong'"
}

@test "settings of a table" {
	program say <<'END'
cat; cat "$1"; echo "$A in $RANDOMLY: $$"; date +%N >noise; exit 4
END
	echo copied >folder/data
	echo typed >folder/typed
	cat >folder/judge <<'END'
@env A=1
@needs sh
@suite first
@env RANDOMLY='some place'
@mask : \d+$ => : NUMBER
@ignore noise
@copy data
@input typed
@status 4
@expect ^typed$
@expect ^1 in some place
say: {} data
@suite second
@needs no-such-command
say:
@suite third
@status 5
say:
@suite fourth
@explained * stdout,files it says its number and the time
say:
END
	judge folder
	status_is 0
	answers first/say same
	answers second/say skipped
	answers third/say 'fails bare'
	says 'status 4 instead of 5'
	answers fourth/say varies
	judge --only 'first/*' --set 'expect nowhere' folder
	status_is 2
	judge --set 'nothing 1' folder
	status_is 1
	says "there is no setting 'nothing'"
}

@test "a difference with a reason is explained" {
	program told <<'END'
echo "${WEIR_TRACE:+x}"
END
	printf '@explained ring,recorded stdout it tells\ntold:\n' >folder/judge
	judge --modes recorded,profile folder
	status_is 1
	says 'recorded: explained  profile: DIFFERS: stdout'
	says 'recorded: it tells'
}

@test "a tree of programs" {
	program one <<'END'
echo one
END
	mkdir -p folder/sub/.hidden folder/sub/deep
	for place in sub sub/.hidden sub/deep; do
		cp folder/one "folder/$place/two"
	done
	echo text >folder/sub/data
	chmod +x folder/sub/data
	judge folder
	status_is 0
	answers folder/one same
	answers sub/two same
	answers sub/deep/two same
	says '3 runs: 3 same'
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
	answers differs 'DIFFERS: files'
	says '3 runs: 1 DIFFERS, 2 same'
}

@test "launchers of a table" {
	[ -x "$KERNELS/contig-mpich" ] || skip 'the kernels are not built'
	mkdir folder
	cp "$KERNELS/contig-mpich" folder
	printf '%s\n' '@launch mpich 1,2' 'contig-mpich: {} data' \
		>folder/judge
	judge --timeout 120 --modes recorded,forward@tmpfs folder
	status_is 0
	answers 'contig-mpich -n 1' same
	answers 'contig-mpich -n 2' same
	judge --set 'launch mpich' folder
	status_is 1
	says 'launch LAUNCHER RANKS'
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
