# include/bine.h, whose comments are the manual, as a man page (format=man) or as Markdown (format=markdown): a section for
# the comment at the top and for each "/* --- TITLE"; text, examples in it (indented by four or more), declarations.
#   awk -v format=man -v version=1.0.0 -f roff.awk -f header.awk include/bine.h
function out(text) { print format == "man" ? roff(text) : text }
function code_begin() { if (!code) print format == "man" ? (declarations ? ".PP" : "") "\n.nf" : "```c"; code = 1 }
function code_end() { if (code) print format == "man" ? ".fi" : "```"; code = 0 }
function heading(text) { code_end(); blank = 0; if (format == "man") print ".SH " toupper(text); else print "\n## " text "\n" }
function paragraph() { code_end(); print format == "man" ? ".PP" : "" }
function comment_line(text) {
    if (text ~ /^ *-+$/) return
    if (text ~ /^    /) { if (code && blank) print ""; blank = 0; code_begin(); out(substr(text, 5)); return }
    if (text ~ /^ *$/) { blank = 1; return }
    if (blank) paragraph()
    blank = 0
    code_end()
    out(text)
}
BEGIN {
    if (format == "man") {
        printf ".TH LIBBINE 3 \"\" \"Bine %s\" \"Library Functions\"\n", version
        print ".SH NAME\nlibbine \\- MPI collective operations that keep their traffic local"
        print ".SH SYNOPSIS\n.nf\n#include <bine.h>\n\ncc ... \\-lbine\\-openmpi\ncc ... \\-lbine\\-mpich\n.fi"
    } else
        print "# The library\n\nThis page is made from `include/bine.h`, whose comments are the manual (`packaging/manual/make --api`)."
}
/^#|^extern|^}$/ { next }
/^\/\* --- / { sub(/^\/\* --- /, ""); heading($0); comment = 1; next }
/^\/\* / { if (!begun++) heading("Description"); else paragraph(); comment = 1; sub(/^\/\* /, "") }
comment {
    ends = sub(/ ?\*\/$/, "")
    sub(/^ \* ?/, "")
    if ($0 != " ") comment_line($0)
    if (ends) { comment = 0; code_end() }
    next
}
/^$/ { if (code) code_end(); next }
{ code_begin(); out($0) }
END { code_end() }
