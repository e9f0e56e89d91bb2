/* What people are told: an alert, and what an `output` of the settings adds to it. */
#ifndef SAID_H
#define SAID_H

#include "../json.h"

/* A list of events, to be freed; NULL without memory. `fields` is what stands behind the alert's
 * own members, such as `"count":3`; `now` is in Unix milliseconds. */
char *said_alert(json output, const char *text, const char *fields, long long now);

#endif
