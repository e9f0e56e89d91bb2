/* agent_alert.h: tells programs and people that something is so. docs/outputs.md has the shapes.
 *
 * `output` is the settings object that "agent:output" describes in a manifest: in whose name, in
 * which room, on which channel. It may be none.
 *
 *     agent_json_writer events = {0};
 *     agent_alert alert = {.text = "The water is at 3.2 m.", .severity = "critical"};
 *     agent_alert_print(&events, &alert, output, host->now(host->ctx));
 *     api->publish(api->ctx, agent_json_written(&events), accepted);
 *     agent_json_reset(&events);
 *
 * The header is complete; there is no library to link.
 */
#ifndef AGENT_ALERT_H
#define AGENT_ALERT_H

#include <sys/random.h>

#include "agent_json.h"

typedef struct agent_alert {
  const char *text;     /* what there is to say */
  const char *title;    /* one line for lists and subjects, or NULL */
  const char *severity; /* "info", "warning", "critical"; NULL: "warning" */
  const char *key;      /* what it is about, or NULL; the word that it is over has the same */
  bool is_resolved;     /* it is over */
  agent_json fields;    /* an object with the numbers behind it, or none */
} agent_alert;

/* A field of the alert's own, which takes no value from `fields`. */
static inline bool agent_alert_has_own(agent_json field) {
  static const char *const own[] = {"type", "timestamp", "state",  "severity", "title",
                                    "text", "key",       "author", "room"};
  for (size_t at = 0; at < sizeof own / sizeof *own; at++) {
    if (agent_json_equals(field, own[at])) return true;
  }
  return false;
}

/* A member of the output: an object, or a text that stands for one of its members. */
static inline void agent_alert_print_party(agent_json_writer *events, agent_json output,
                                           const char *key, const char *bare) {
  agent_json value = agent_json_get(output, key);
  agent_json_kind kind = agent_json_kind_of(value);
  if (kind == AGENT_JSON_OBJECT) agent_json_print(events, ",%s:%.*s", key, AGENT_JSON_ARG(value));
  if (kind == AGENT_JSON_STRING) {
    agent_json_print(events, ",%s:{%s:%.*s}", key, bare, AGENT_JSON_ARG(value));
  }
}

static inline void agent_alert_print_parties(agent_json_writer *events, agent_json output) {
  agent_alert_print_party(events, output, "author", "name");
  agent_alert_print_party(events, output, "room", "id");
  agent_json_print(events, "}");
}

static inline void agent_alert_print_self(agent_json_writer *events, const agent_alert *alert,
                                          agent_json output, int64_t now) {
  agent_json type = agent_json_get(output, "event_type");
  agent_json name = AGENT_JSON_NONE, value = AGENT_JSON_NONE;
  bool is_typed = agent_json_kind_of(type) == AGENT_JSON_STRING;
  if (!is_typed) type = agent_text("\"alert\"");
  agent_json_print(events, "{'type':%.*s,'timestamp':%lld,'state':%s,'severity':%s,'text':%s",
                   AGENT_JSON_ARG(type), (long long)now,
                   alert->is_resolved ? "resolved" : "raised",
                   alert->severity ? alert->severity : "warning", alert->text ? alert->text : "");
  if (alert->title) agent_json_print(events, ",'title':%s", alert->title);
  if (alert->key) agent_json_print(events, ",'key':%s", alert->key);
  while (agent_json_next_member(alert->fields, &name, &value)) {
    if (agent_alert_has_own(name)) continue;
    agent_json_print(events, ",%.*s:%.*s", AGENT_JSON_ARG(name), AGENT_JSON_ARG(value));
  }
  agent_alert_print_parties(events, output);
}

/* A chat message with a name that no other has; nothing without a room to say it in. */
static inline void agent_alert_print_message(agent_json_writer *events, agent_json sentence,
                                             agent_json output, int64_t now) {
  uint8_t random[16];
  char uid[33];
  if (!agent_json_get(output, "room").ptr) return;
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) events->failed = true;
  for (int at = 0; at < 16 && !events->failed; at++) snprintf(uid + 2 * at, 3, "%02x", random[at]);
  agent_json_print(events, ",{'type':'__message','timestamp':%lld,'createdAt':%lld,'uid':%s,",
                   (long long)now, (long long)now, uid);
  agent_json_print(events, "'message':%.*s", AGENT_JSON_ARG(sentence));
  agent_alert_print_parties(events, output);
}

/* A value of the channel that `message_event` names; nothing without one. */
static inline void agent_alert_print_channel(agent_json_writer *events, agent_json sentence,
                                             agent_json output, int64_t now) {
  agent_json channel = agent_json_get(output, "message_event");
  agent_json type = agent_json_get(channel, "event_type");
  agent_json mnemonic = agent_json_get(channel, "mnemonic");
  if (!type.ptr || !mnemonic.ptr) return;
  agent_json_print(events, ",{'type':%.*s,'timestamp':%lld,%.*s:{'value':%.*s}}",
                   AGENT_JSON_ARG(type), (long long)now, AGENT_JSON_ARG(mnemonic),
                   AGENT_JSON_ARG(sentence));
}

/* Writes the list of events that an alert publishes: itself, and its sentence (the title in front
 * of the text) where people read it. `now` is in Unix milliseconds. [any-thread] */
static inline void agent_alert_print(agent_json_writer *events, const agent_alert *alert,
                                     agent_json output, int64_t now) {
  agent_json_writer said = {NULL, 0, 0, false}, sentence = {NULL, 0, 0, false};
  const char *title = alert->title && *alert->title ? alert->title : NULL;
  const char *text = alert->text ? alert->text : "";
  if (title) agent_json_append_text(&said, title);
  if (title && *text) agent_json_append_text(&said, ": ");
  agent_json_append_text(&said, text);
  agent_json_quote(&sentence, agent_text(said.text));
  events->failed = events->failed || said.failed || sentence.failed;
  agent_json_print(events, "[");
  agent_alert_print_self(events, alert, output, now);
  agent_alert_print_message(events, agent_json_written(&sentence), output, now);
  agent_alert_print_channel(events, agent_json_written(&sentence), output, now);
  agent_json_print(events, "]");
  agent_json_reset(&said);
  agent_json_reset(&sentence);
}

#endif
