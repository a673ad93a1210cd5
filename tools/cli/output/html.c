#include "cli/output/html.h"
#include "base/files.h"
#include "cli/input_file.h"

#include <stdlib.h>
#include <string.h>

void bine_html_text(FILE *f, const char *text) {
    static const struct {
        char is;
        const char *as;
    } marks[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
    for (; *text != '\0'; text++) {
        const char *as = NULL;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            as = marks[i].is == *text ? marks[i].as : as;
        if (as != NULL)
            fputs(as, f);
        else
            fputc(*text, f);
    }
}

/* Colours have names, so that the dark scheme only gives them other values. Plots are black on a
 * transparent ground: the dark scheme inverts their brightness and keeps their hues. Wide tables
 * and plots scroll in boxes of their own, so that the page itself never scrolls sideways. */
static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--page:#fff;--ink:#222;--faint:#555;--line:#e4e4e4;--rule:#999;"
    "--box:#f3f3f3;--minus:#b03a00}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e2e4e7;--faint:#a4a9b0;"
    "--line:#33383e;--rule:#767c84;--box:#22262b;--minus:#ff9a66}\n"
    "figure svg{filter:invert(.9) hue-rotate(180deg)}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);"
    "max-width:1100px;margin:2em auto;padding:0 1em}\n"
    "h1{font-size:1.6em;margin-bottom:.2em}\n"
    "h2{font-size:1.35em;margin-top:2em;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1.12em;margin:1.8em 0 .3em}h4{margin:1.2em 0 .3em}\n"
    "p.sub{color:var(--faint);margin-top:0}.lead{font-size:1.08em}\n"
    "code{background:var(--box);padding:.1em .3em;border-radius:3px}\n"
    "pre{background:var(--box);padding:.6em;border-radius:4px;white-space:pre-wrap;"
    "overflow-wrap:anywhere;font-size:.85em}\n"
    "h1,h2,h3,p,li{overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "figure{margin:1em 0}figure svg{display:block;width:100%;min-width:560px;height:auto}\n"
    "figure.wide{overflow-x:auto}figcaption{color:var(--faint);font-size:.92em}\n"
    "details{margin:.6em 0}summary{cursor:pointer}\n"
    "@media(max-width:800px){body{margin:1em auto}}\n";

/* Win and loss by shade; the text on a shade is dark or light as the shade is. */
static const char heat_style[] =
    ":root{--w1:#dcebf7;--w2:#b3d4ec;--w3:#7fb6de;--w4:#3d8ec6;--w5:#08589e;--l1:#fdeee3;"
    "--l2:#fbd3b5;--l3:#f4ae80;--tie:#ececec;--on:#222;--strong:#fff}\n"
    "@media(prefers-color-scheme:dark){:root{--w1:#1d3040;--w2:#1f4460;--w3:#245c86;--w4:#2b7ab3;"
    "--w5:#4aa3e0;--l1:#3b2a1e;--l2:#5c3a20;--l3:#8a5226;--tie:#2b2f34;--on:#e2e4e7;"
    "--strong:#fff}}\n"
    "table.heat td{min-width:3.4em;height:1.75em;text-align:center;border:1px solid var(--page);"
    "padding:0 .3em}\n"
    "table.heat th{padding:0 .6em;font-weight:500;font-size:.9em;text-align:center}\n"
    "table.heat tbody th{text-align:right;white-space:nowrap;position:sticky;left:0;"
    "background:var(--page)}\n"
    ".w1,.w2,.w3,.l1,.l2,.l3{color:var(--on)}.w4,.w5{color:var(--strong)}\n"
    ".w1{background:var(--w1)}.w2{background:var(--w2)}.w3{background:var(--w3)}\n"
    ".w4{background:var(--w4)}.w5{background:var(--w5)}\n"
    ".l1{background:var(--l1)}.l2{background:var(--l2)}.l3{background:var(--l3)}\n"
    ".tie{background:var(--tie);color:var(--faint)}.none{color:var(--rule)}\n";

void bine_html_begin(FILE *f, const char *title, const char *own_style) {
    fprintf(f, "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport "
               "content=\"width=device-width,initial-scale=1\">\n<title>");
    bine_html_text(f, title);
    fprintf(f, "</title>\n%s%s%s</style>\n<h1>", style, heat_style, own_style);
    bine_html_text(f, title);
    fprintf(f, "</h1>\n");
}

int bine_html_picture(FILE *f, const char *path, const char *caption) {
    size_t size;
    char *svg = bine_file_is_regular(path) ? bine_file_read(path, &size) : NULL;
    const char *begin = svg == NULL ? NULL : strstr(svg, "<svg");
    if (begin != NULL)
        fprintf(f, "<figure class=wide>\n%s<figcaption>%s</figcaption>\n</figure>\n", begin,
                caption);
    free(svg);
    return begin == NULL ? -1 : 0;
}
