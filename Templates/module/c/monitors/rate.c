#include "rate.h"

/* Times come from events: their difference must not overflow. */
static bool within(int64_t from, int64_t to, int64_t span) {
  return (int64_t)((uint64_t)to - (uint64_t)from) < span;
}

bool rate_add(rate *r, int64_t time) {
  r->times[r->next] = time;
  r->next = (r->next + 1) % r->limit;
  if (r->count < r->limit) r->count++;
  /* The next place holds the first of the last `limit`. */
  if (r->count < r->limit || !within(r->times[r->next], time, r->window)) return false;
  if (r->has_alerted && within(r->last_alert, time, r->cooldown)) return false;
  r->has_alerted = true;
  r->last_alert = time;
  return true;
}
