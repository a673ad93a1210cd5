/* What the pages that bine writes have in common. */
#ifndef BINE_TOOLS_CLI_HTML_H
#define BINE_TOOLS_CLI_HTML_H

#include <stdio.h>

/* Text as HTML wants it. */
void bine_html_text(FILE *f, const char *text);
/* The beginning of a page, to its first heading: title, style (light and dark, wide and narrow;
 * tables of class heat, with the shades w1 to w5, l1 to l3, tie and none) and the page's own rules
 * in addition. */
void bine_html_begin(FILE *f, const char *title, const char *own_style);
/* An SVG file as a figure, from its first tag on, with a caption in HTML. 0, or -1 if there is no
 * picture in it. */
int bine_html_picture(FILE *f, const char *path, const char *caption);

#endif
