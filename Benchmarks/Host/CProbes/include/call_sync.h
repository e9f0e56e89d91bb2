/* The fast path of a module that is loaded into the host. */
#ifndef CALL_SYNC_H
#define CALL_SYNC_H

#include <stdint.h>

/* Loads the module `library`, makes an instance of its contribution `name`, and calls its
 * `call_sync` `count` times with a few bytes. Thousandths of a nanosecond a call; -1 when the library
 * can't be loaded, -2 when it has no such contribution, -3 when it has no `call_sync` or the call fails. */
int64_t call_sync_cost(const char *library, const char *name, int count);

#endif
