/* Lets libdispatch watch its threads from inside the sandbox.
 *
 * Rationale: on Linux libdispatch counts the threads that are busy by reading /proc/TID/stat, once
 * a second while there is work, and ends the process when it can't. The sandbox opens /proc/self
 * only, where the same file is /proc/self/task/TID/stat; /proc/TID is another folder to it, and
 * opening all of /proc would show every process of the machine to every module. For that reason
 * this program has an `open` of its own that maps the one path to the other; the loader prefers it
 * for the shared libraries too. Everything else goes to the kernel as it is. */
#ifndef THREAD_STATISTICS_H
#define THREAD_STATISTICS_H

/* Does nothing; a call keeps this file in the program. */
void thread_statistics_install(void);

#endif
