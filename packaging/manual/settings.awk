# The Markdown of `bine info --markdown` as bine.conf(5): a row of its table is a paragraph with the setting's name.
function inline(text) { text = roff(text); gsub(/\\\(ga/, "", text); gsub(/\\\\_/, "_", text); return text }
BEGIN {
    printf ".TH BINE.CONF 5 \"\" \"Bine %s\" \"File Formats\"\n.SH NAME\nbine.conf \\- settings of Bine\n.SH DESCRIPTION\n", version
}
/^# / || /^\|---/ || /^\| setting / || /^This page is/ { next }
/^$/ { if (!blank++ && !table) print ".PP"; next }
/^## / { sub(/^## /, ""); print ".SH " toupper(inline($0)); table = 0; next }
/^\| / {
    blank = 0
    if (!table++) print ".SH SETTINGS"
    line = $0; sub(/^\| /, "", line); sub(/ \|$/, "", line)
    n = split(line, cell, / \| ?/)
    printf ".TP\n.B %s\n%s\n", inline(cell[1]), inline(cell[n])
    printf ".br\nTakes %s%s.\n", inline(cell[2]), cell[3] ~ /[^ ]/ ? "; built in: " inline(cell[3]) : ""
    next
}
{ blank = 0; print inline($0) }
