# A page of `--help` as a man page: usage lines, paragraphs, "heading:" lines, and indented blocks below them.
#   awk -v name=bine-list -v about='every algorithm' -v version=1.0.0 -f roff.awk -f help.awk
function begin_page() {
    printf ".TH \"%s\" 1 \"\" \"Bine %s\" \"User Commands\"\n", toupper(name), version
    printf ".SH NAME\n%s \\- %s\n", name, roff(about)
}
# An option begins a paragraph of its own; other lines of a block stay as they are.
function block_line(text,    term, rest) {
    sub(/^  /, "", text)
    if (text ~ /^-/ || (verbatim == 0 && in_options && text ~ /^ /)) {
        if (text !~ /^-/) { if (nofill) block_end(); sub(/^ +/, "", text); print roff(text); return }
        if (nofill) block_end()
        term = text; rest = ""
        if (match(text, /  +/)) { term = substr(text, 1, RSTART - 1); rest = substr(text, RSTART + RLENGTH) }
        printf ".TP\n.B %s\n", roff(term)
        if (rest != "") print roff(rest)
        in_options = 1
        return
    }
    if (!nofill) { print ".nf"; nofill = 1 }
    in_options = 0
    print roff(text)
}
function block_end() { if (nofill) print ".fi"; nofill = 0; in_options = 0 }
FNR == 1 { begin_page() }
/^usage: / { print ".SH SYNOPSIS\n.nf"; sub(/^usage: /, ""); usage = 1; nofill = 1; print roff($0); next }
usage && /^ / { sub(/^       /, ""); print roff($0); next }
usage { usage = 0; block_end(); print ".SH DESCRIPTION" }
/^$/ { block_end(); print ".PP"; next }
/^[a-z][^.;]*:$/ { block_end(); heading = $0; sub(/:$/, "", heading); verbatim = heading == "examples"; print ".SH " toupper(heading); next }
/^  / { block_line($0); next }
{ block_end(); print roff($0) }
END { block_end() }
