/* agent_rate.h: says when something happens too often.
 *
 *     agent_rate_init(&m->rate, 10, 60000, 60000);
 *     if (agent_rate_add(&m->rate, timestamp)) publish_alert(m);
 *
 * Times are in milliseconds, of one clock. A rate has one user at a time. The header is complete;
 * there is no library to link.
 */
#ifndef AGENT_RATE_H
#define AGENT_RATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { AGENT_RATE_MAX = 1000 };

typedef struct agent_rate {
  int limit, count, next;
  int64_t window, cooldown;
  int64_t times[AGENT_RATE_MAX]; /* the last `limit` of them, as a ring */
  bool has_alerted;
  int64_t last_alert;
} agent_rate;

/* `limit` within `window` are too many: from 1 to AGENT_RATE_MAX, others are moved to the nearest.
 * Within `cooldown` that isn't said again. */
static inline void agent_rate_init(agent_rate *rate, int64_t limit, int64_t window,
                                   int64_t cooldown) {
  memset(rate, 0, sizeof *rate);
  rate->limit = limit < 1 ? 1 : limit > AGENT_RATE_MAX ? AGENT_RATE_MAX : (int)limit;
  rate->window = window;
  rate->cooldown = cooldown;
}

/* Times come from events: their difference must not overflow. */
static inline bool agent_rate_is_within(int64_t from, int64_t to, int64_t span) {
  return (int64_t)((uint64_t)to - (uint64_t)from) < span;
}

/* Counts one; true when there are too many, and that was said long enough ago. */
static inline bool agent_rate_add(agent_rate *rate, int64_t time) {
  rate->times[rate->next] = time;
  rate->next = (rate->next + 1) % rate->limit;
  if (rate->count < rate->limit) rate->count++;
  /* The next place holds the first of the last `limit`. */
  int64_t first = rate->times[rate->next];
  if (rate->count < rate->limit || !agent_rate_is_within(first, time, rate->window)) return false;
  if (rate->has_alerted && agent_rate_is_within(rate->last_alert, time, rate->cooldown)) return false;
  rate->has_alerted = true;
  rate->last_alert = time;
  return true;
}

#endif
