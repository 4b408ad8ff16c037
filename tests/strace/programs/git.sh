# SPDX-License-Identifier: BSD-3-Clause
# A repository is made, filled, looked at and cleaned up.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_NOSYSTEM=1
git init -q -b main repo
cd repo
mkdir sub
seq 1 3000 >numbers
echo hello >sub/greeting
git add .
git commit -q -m first
echo more >>numbers
git status --short
git diff >/dev/null
git commit -q -a -m second
git log --stat >/dev/null
git branch side
git checkout -q side
git gc -q
git fsck
git clone -q . ../clone
