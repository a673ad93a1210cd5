/* Files that several processes change, on several hosts. */
#ifndef BINE_BASE_SHARED_FILE_H
#define BINE_BASE_SHARED_FILE_H

/* The new text of a file, allocated; `old` is its text now, empty where there is no file. NULL: the
 * file stays as it is. */
typedef char *bine_revision(void *context, const char *old);

/* Replace a file's text in one piece, so that a reader sees the old or the new one, and no revision
 * of another process is lost. A symbolic link stays: the file that it names is replaced, and keeps
 * its permissions. Waits for other processes for less than a second. 0, or -1 and errno: EBUSY if
 * another process held the file's lock (FILE.lock) for all that time; 0 if there is no new text. */
int bine_file_revise(const char *path, bine_revision *revise, void *context);

#endif
