/* Writing files without ever leaving half of one. */
#ifndef BINE_TOOLS_CLI_OUTPUT_FILE_H
#define BINE_TOOLS_CLI_OUTPUT_FILE_H

#include <stddef.h>

/* Write a file as a whole: to a draft beside it, which then takes its place. If that fails, or a
 * signal asks the program to end, the file is as it was and the draft is gone. Links are followed;
 * pipes and devices are written to. Returns 0 or an errno. */
int bine_output_file_write(const char *name, const char *text, size_t size);

#endif
