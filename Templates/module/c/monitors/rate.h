/* Counts what happened within a window of time. Times are in milliseconds. */
#ifndef RATE_H
#define RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { RATE_MOST = 1000 };

typedef struct rate {
  int limit;
  int64_t window, cooldown;
  int64_t times[RATE_MOST]; /* the last `limit` of them, as a ring */
  int count, next;
  bool has_alerted;
  int64_t last_alert;
} rate;

/* Counts one; true when that is one too many, and the last alert was long enough ago. */
bool rate_add(rate *r, int64_t time);

#endif
