/* The file that a word of a command line would start. */
#ifndef BINE_TOOLS_PROGRAM_FILE_H
#define BINE_TOOLS_PROGRAM_FILE_H

enum { BINE_PROGRAM_FILE = 4096 };

/* As typed where the word has a slash, else from PATH. 0, or -1 with errno set. */
int bine_program_file(const char *word, char file[BINE_PROGRAM_FILE]);
/* Set PATH to the folder `first` (or NULL), then PATH as it is, then the folders that often only
 * root has on it. */
void bine_program_path(const char *first);

#endif
