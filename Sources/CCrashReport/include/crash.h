/* A worker's last words: what is written when a signal ends it. */
#ifndef CRASH_H
#define CRASH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one JSON line to `descriptor` when SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT or SIGTRAP
 * ends the process, then lets the signal do its work:
 *   {"signal":11,"code":1,"address":"0x0","thread":7,"pcs":["0x…",…],
 *    "images":[{"path":"…","base":"0x…","build_id":"…"},…]}
 * Program counters begin where it happened; each but the first is a return address. */
void crash_report_to(int descriptor);

/* Notes which libraries are loaded; call it after each dlopen. */
void crash_note_images(void);

/* Gives the calling thread a stack of its own for the handler, so that an overflow is told too. */
void crash_cover_thread(void);

#ifdef __cplusplus
}
#endif
#endif
