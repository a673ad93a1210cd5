#!/bin/sh
# bine draw: text drawings against golden files that were checked by hand against the paper, the
# magic bytes of pictures, and every kind of bad input.
#
#     tests/cli/draw.sh BINE            run the tests
#     tests/cli/draw.sh BINE --update   write the golden files anew (then check them by hand)
bine=$(realpath "$1") || exit 2
update=$2
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# In a build with sanitizers: fontconfig keeps its tables for the life of the process.
echo leak:libfontconfig >"$tmp/leaks"
LSAN_OPTIONS=suppressions=$tmp/leaks:print_suppressions=0
export LSAN_OPTIONS

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# golden NAME ARGUMENT...: the drawing is that of draw/NAME.txt.
golden() {
    name=$1
    shift
    if ! "$bine" draw "$@" -o "$tmp/drawing.txt"; then
        fail "draw $*"
    elif [ -n "$update" ]; then
        cp "$tmp/drawing.txt" "$here/draw/$name.txt"
    elif diff "$here/draw/$name.txt" "$tmp/drawing.txt"; then
        pass
    else
        fail "draw $* is not as in draw/$name.txt"
    fi
}

# says TEXT ARGUMENT...: the drawing has a line with TEXT.
says() {
    text=$1
    shift
    if LC_ALL=C "$bine" draw "$@" >"$tmp/out" && grep -qF -- "$text" "$tmp/out"; then
        pass
    else
        fail "draw $*: expected '$text' in it"
    fi
}

# picture ENDING MAGIC ARGUMENT...: the file begins with MAGIC and nothing else is left there.
picture() {
    ending=$1
    magic=$2
    shift 2
    rm -rf "$tmp/new"
    mkdir "$tmp/new"
    if "$bine" draw "$@" -o "$tmp/new/x.$ending" >"$tmp/out" && [ ! -s "$tmp/out" ] &&
        head -c 16 "$tmp/new/x.$ending" | grep -aq "$magic" && [ "$(ls "$tmp/new")" = "x.$ending" ]; then
        pass
    else
        fail "draw $* -o x.$ending"
    fi
}

# refuses WORD ARGUMENT...: exit 2, one line on stderr that has WORD in it, nothing on stdout, no file.
refuses() {
    word=$1
    shift
    rm -rf "$tmp/new"
    mkdir "$tmp/new" "$tmp/new/folder.svg"
    (cd "$tmp/new" && "$bine" draw "$@" >"$tmp/out" 2>"$tmp/err")
    rc=$?
    if [ $rc -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && [ ! -s "$tmp/out" ] &&
        grep -qF -- "$word" "$tmp/err" && [ "$(ls "$tmp/new")" = folder.svg ]; then
        pass
    else
        fail "draw $*: exit $rc, expected 2 and one line with '$word', got: $(cat "$tmp/err")"
    fi
}

# The paper's figures: far-first trees, the near-first tree, appendix C, the butterflies.
golden tree-2 tree --ranks 2
golden tree-4 tree --ranks 4
golden tree-8 tree --ranks 8 --distance --negabinary
golden tree-16 tree --ranks 16 --negabinary
golden tree-near-8 tree bcast bine-small-near --ranks 8 --negabinary
golden tree-paper-6 tree bcast bine-small-paper --ranks 6
golden tree-paper-10 tree bcast bine-small-paper --ranks 10
golden butterfly-far-8 butterfly --ranks 8 --root 2
golden butterfly-near-8 butterfly allgather bine-near --ranks 8 --root 0
# The split tree where p is not a power of two, another root, backwards, both ways.
golden tree-13 tree --ranks 13
golden tree-root-3 tree --ranks 8 --root 3
golden tree-reduce-8 tree reduce bine-small --ranks 8
golden tree-allreduce-8 tree allreduce bine-large --ranks 8 --root 3
golden tree-binomial-8 tree bcast binomial-far --ranks 8
golden tree-first-8 tree --ranks 8 --first 0 --ascii
golden tree-1 tree --ranks 1
golden schedule-gather-8 schedule gather bine-near --ranks 8
golden schedule-allreduce-4 schedule allreduce bine-large --ranks 4
golden schedule-allgather-5 schedule allgather bine-far --ranks 5
golden schedule-groups-6 schedule allgather bine-group --groups 3,3
# Tori: the partners of rank 0 on 4x4 are the paper's (appendix D); with four ports all directions at once.
golden torus-4x4 torus --dims 4x4
golden torus-ports-4x4 torus bcast bine-torus-small --dims 4x4 --ports 4
golden torus-8 torus reduce_scatter bine-torus --dims 8 --ascii
golden torus-flat-4x4 torus bcast bine-small --dims 4x4
# Two ranks in a dimension meet straight, one down and one up.
golden torus-2x4 torus --dims 2x4

# The same without box drawing, as the locale has none.
says 'o===============>[3]' tree --ranks 8
says 'on the arrows: number of blocks' schedule alltoall bine-far --ranks 8
says '0,3,4,7,8,11,12 +9' schedule allgather bine-far --ranks 32 --labels blocks
says 'tree of rank 5' butterfly allreduce bine-small --ranks 8 --root 5
says 'block 6' tree bcast bine-large --ranks 8 --root 2 --block 6

for kind in tree butterfly "schedule allgather bine-far"; do
    # shellcheck disable=SC2086 # words
    {
        picture svg '<?xml' $kind --ranks 8
        picture png 'PNG' $kind --ranks 8 --root 2
        picture pdf '^%PDF-' $kind --ranks 7
        picture txt '^[a-z]' $kind --ranks 7
    }
done
picture svg '<?xml' tree --ranks 256 --negabinary
picture png 'PNG' schedule allreduce ring --ranks 65

picture svg '<?xml' torus --dims 4x4 --ports 4
picture svg '<?xml' torus bcast bine-group --dims 4x4 --groups 8,8
picture png 'PNG' torus reduce bine-torus --dims 8x8 --root 9
picture pdf '^%PDF-' torus alltoall bine-torus --dims 3x5 --ports 4

# clear_labels MANY ARGUMENT...: at least so many labels; none outside the page or over another. Each
# stands on a white patch, a rectangle.
clear_labels() {
    many=$1
    shift
    if "$bine" draw "$@" -o "$tmp/labels.svg" && awk -v many="$many" '
        /<svg/ { match($0, /viewBox="0 0 [0-9.]+/); width = substr($0, RSTART + 13, RLENGTH - 13) + 0 }
        /<path/ && /100%, *100%, *100%/ && match($0, / d="M [-0-9. ML]+Z/) {
            split(substr($0, RSTART + 6, RLENGTH - 6), at, " ")
            n++
            l[n] = at[1]; t[n] = at[2]; r[n] = at[7]; b[n] = at[8]
            if (l[n] > r[n]) { l[n] = at[7]; r[n] = at[1] }
            if (t[n] > b[n]) { t[n] = at[8]; b[n] = at[2] }
            if (l[n] < 0 || r[n] > width) bad = bad " label " n " outside"
            for (i = 1; i < n; i++)
                if (l[i] < r[n] && l[n] < r[i] && t[i] < b[n] && t[n] < b[i]) bad = bad " label " n " over " i
        }
        END { if (bad != "" || n < many) { print n + 0 " labels" bad; exit 1 } }' "$tmp/labels.svg"; then
        pass
    else
        fail "draw $*: labels are not clear"
    fi
}
# clear_lines ARGUMENT...: no two lines of messages lie on each other. Each is a stroke of its own, level or upright.
clear_lines() {
    if "$bine" draw "$@" -o "$tmp/lines.svg" && awk '
        /<path/ && /stroke[:=]"?rgb\((0%|80|83)/ && match($0, / d="M [-0-9. ML]+"/) {
            split(substr($0, RSTART + 6, RLENGTH - 7), at, " ")
            level = at[2] == at[5]
            if (!level && at[1] != at[4]) next
            n++
            beside[n] = (level ? "y" at[2] : "x" at[1])
            l[n] = level ? at[1] : at[2]; r[n] = level ? at[4] : at[5]
            if (l[n] > r[n]) { low = r[n]; r[n] = l[n]; l[n] = low }
            for (i = 1; i < n; i++)
                if (beside[i] == beside[n] && l[i] < r[n] - 1 && l[n] < r[i] - 1) bad = bad " " i "/" n
        }
        END { if (bad != "" || n == 0) { print n + 0 " lines, on each other:" bad; exit 1 } }' "$tmp/lines.svg"; then
        pass
    else
        fail "draw $*: lines are not clear"
    fi
}
clear_lines torus --dims 3x5 --ports 4
clear_lines torus --dims 7x5 --ports 4
clear_lines torus --dims 2x2 --ports 4
clear_lines torus allreduce recursive-doubling-torus --dims 8x4 --ports 4
clear_lines torus allgather bine-far --dims 16
clear_lines torus --dims 4x4 --ports 4

clear_labels 18 schedule allgather bine-group --groups 3,3
clear_labels 18 schedule allgather bine-group --groups 3,3 --labels distance
clear_labels 10 schedule bcast bine-group --groups 3,3,4 # those of steps 0 and 1, but for the two at rank 6, and two in step 2
clear_labels 40 schedule allreduce bine-large --ranks 5
clear_labels 8 schedule alltoall linear --ranks 8 --labels distance
clear_labels 64 schedule allgather bine-far --ranks 16 --labels blocks
clear_labels 64 schedule allgather bine-far --ranks 16 --labels blocks --first 3
clear_labels 40 schedule allgather bine-far --ranks 13 --labels blocks
clear_labels 31 tree --ranks 32 --distance
clear_labels 7 tree bcast linear --ranks 8 --labels count

refuses 'torus'
refuses '--dims' torus --ranks 8
refuses '--distance: not with draw torus' torus --dims 4x4 --distance
refuses '--labels' torus --dims 4x4 --labels blocks
refuses '--first' torus --dims 4x4 --first 1
refuses '--negabinary' torus bcast bine-small --dims 4x4 --negabinary
refuses '2x2x2' torus --dims 2x2x2
refuses '16 ranks' torus --dims 4x4 --ranks 8
refuses '--ports' tree bcast bine-torus --dims 4x4 --ports 2
refuses '5 ports' torus --dims 4x4 --ports 5
refuses 'tree|butterfly|schedule|torus'
refuses 'wood' wood --ranks 8
refuses 'COLLECTIVE ALGORITHM' schedule --ranks 8
refuses 'algorithm' tree bcast --ranks 8
refuses 'brodcast' tree brodcast bine-small --ranks 8
refuses 'bine-smal' tree bcast bine-smal --ranks 8
refuses 'more' tree bcast bine-small more --ranks 8
refuses '--ranks' tree
refuses '--ranks' tree --ranks
refuses '0' tree --ranks 0
refuses '-3' tree --ranks -3
refuses 'many' tree --ranks many
refuses '8' tree --ranks 8 --root 8
refuses '-1' tree --ranks 8 --root -1
refuses '9' tree bcast bine-large --ranks 8 --block 9
refuses '9' tree --ranks 8 --first 9
refuses '7 ranks' tree bcast bine-small-near --ranks 7
refuses 'permute' schedule allgather bine-far --ranks 6 --layout permute
refuses 'flat' schedule allgather bine-far --ranks 8 --layout flat
refuses '--colourful' tree --ranks 8 --colourful
refuses 'bytes' tree --ranks 8 --labels bytes
refuses '--negabinary' tree --ranks 6 --negabinary
refuses '--negabinary' tree bcast binomial-far --ranks 8 --negabinary
refuses '65 ranks' tree --ranks 65
refuses '257 ranks' tree --ranks 257 -o x.svg
refuses '130 steps' schedule allreduce ring --ranks 66 -o x.svg
refuses '17292 messages' schedule alltoall linear --ranks 132 -o x.svg
refuses 'x.gif' tree --ranks 8 -o x.gif
refuses '.svg' tree --ranks 8 -o .svg
refuses 'missing/x.svg' tree --ranks 8 -o missing/x.svg
refuses 'folder.svg' tree --ranks 8 -o folder.svg

# fails_to_write ENDING: no room for the file: one line, no new file, and an old one as it was.
fails_to_write() {
    rm -rf "$tmp/new"
    mkdir "$tmp/new"
    echo old >"$tmp/new/old.$1"
    for name in old new; do
        (
            ulimit -f 1
            "$bine" draw tree --ranks 64 -o "$tmp/new/$name.$1"
        ) 2>"$tmp/err"
        rc=$?
        if [ $rc -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^bine: cannot write .*: File too large' "$tmp/err" &&
            [ "$(ls "$tmp/new")" = "old.$1" ] && [ "$(cat "$tmp/new/old.$1")" = old ]; then
            pass
        else
            fail "no room for $name.$1: exit $rc: $(cat "$tmp/err")"
        fi
    done
}
for ending in svg png pdf txt; do
    fails_to_write $ending
done

# Not a plain file: a pipe is written to, a link is followed, whether there is something behind it or not.
rm -rf "$tmp/new"
mkdir "$tmp/new" "$tmp/new/far"
mkfifo "$tmp/new/pipe.svg"
cat "$tmp/new/pipe.svg" >"$tmp/head" &
"$bine" draw tree --ranks 4 -o "$tmp/new/pipe.svg"
rc=$?
wait
if [ $rc -eq 0 ] && [ -p "$tmp/new/pipe.svg" ] && head -c 5 "$tmp/head" | grep -q "^<?xml"; then pass; else fail "a drawing to a pipe"; fi
echo old >"$tmp/new/far/old.txt"
ln -s old.txt "$tmp/new/far/again.txt"
ln -s far/again.txt "$tmp/new/old.txt"
ln -s far/new.txt "$tmp/new/new.txt"
ln -s loop.txt "$tmp/new/loop.txt"
for name in old new; do
    if "$bine" draw tree --ranks 4 -o "$tmp/new/$name.txt" && [ -L "$tmp/new/$name.txt" ] &&
        [ -f "$tmp/new/far/$name.txt" ] && [ ! -L "$tmp/new/far/$name.txt" ] &&
        diff "$here/draw/tree-4.txt" "$tmp/new/$name.txt"; then pass; else fail "a drawing through a link: $name"; fi
done
if [ -L "$tmp/new/far/again.txt" ] && ! "$bine" draw tree --ranks 4 -o "$tmp/new/loop.txt" 2>"$tmp/err" &&
    grep -q 'loop.txt: Too many' "$tmp/err" && [ -L "$tmp/new/loop.txt" ]; then pass; else fail "a link to itself"; fi
if [ -c /dev/full ]; then
    ln -s /dev/full "$tmp/new/full.svg"
    "$bine" draw tree --ranks 4 -o "$tmp/new/full.svg" 2>"$tmp/err"
    if [ $? -eq 2 ] && [ -c /dev/full ] && grep -q 'full.svg: No space' "$tmp/err"; then pass; else fail "a drawing to a device"; fi
fi

# A disk that is full after 8 KiB, where a file system can be mounted.
mkdir "$tmp/small"
# shellcheck disable=SC2016 # its own words
if unshare -rm mount -t tmpfs -o size=8k tmpfs "$tmp/small" 2>/dev/null; then
    if unshare -rm sh -c 'mount -t tmpfs -o size=8k tmpfs "$2" && echo old >"$2/old.pdf" || exit 1
        "$1" draw tree --ranks 64 -o "$2/new.pdf" && exit 1
        "$1" draw tree --ranks 64 -o "$2/old.pdf" && exit 1
        [ "$(ls "$2")" = old.pdf ] && [ "$(cat "$2/old.pdf")" = old ]' sh "$bine" "$tmp/small" 2>"$tmp/err" &&
        [ "$(grep -c 'cannot write .*: No space left on device' "$tmp/err")" -eq 2 ]; then
        pass
    else
        fail "a drawing on a full disk: $(cat "$tmp/err")"
    fi
fi

# A full disk: the message, and nothing on stdout to be mistaken for a drawing.
if [ -w /dev/full ]; then
    "$bine" draw tree --ranks 8 >/dev/full 2>"$tmp/err"
    if [ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ]; then pass; else fail "output to a full disk"; fi
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
