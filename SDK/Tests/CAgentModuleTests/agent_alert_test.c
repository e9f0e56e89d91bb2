/* What agent_alert.h and agent_rate.h promise. Tools/prove-c.sh compiles and runs it. */
#undef NDEBUG
#include "agent_alert.h"
#include "agent_rate.h"

#include <assert.h>

/* The first two events that an alert publishes, which the test reads as a list. */
static agent_json_writer events;

static agent_json event(int number) {
  agent_json found = AGENT_JSON_NONE, list = agent_json_written(&events);
  while (agent_json_next(list, &found) && number-- > 0) {}
  return found;
}

static bool has(agent_json object, const char *key, const char *text) {
  return agent_json_equals(agent_json_get(object, key), text);
}

static void print(agent_alert alert, const char *output) {
  agent_json_reset(&events);
  agent_alert_print(&events, &alert, agent_text(output), 7);
}

static void an_alert_without_an_output_is_one_event(void) {
  print((agent_alert){.text = "say \"hi\""}, "");
  assert(agent_json_equals(agent_json_get(event(0), "type"), "alert") && !event(1).ptr);
  assert(has(event(0), "text", "say \"hi\"") && has(event(0), "state", "raised"));
  assert(has(event(0), "severity", "warning") && !agent_json_get(event(0), "title").ptr);
  assert(agent_json_int(agent_json_get(event(0), "timestamp"), 0) == 7);
}

static void an_output_says_it_in_a_room_and_on_a_channel(void) {
  print((agent_alert){.text = "3.2 m", .title = "High water", .severity = "critical", .key = "dam",
                      .is_resolved = true},
        "{\"author\":\"Tides\",\"room\":{\"id\":\"ops\",\"name\":\"Operations\"},"
        "\"event_type\":\"tide\",\"message_event\":{\"event_type\":\"chan\",\"mnemonic\":\"M1\"}}");
  assert(has(event(0), "type", "tide") && has(event(0), "state", "resolved"));
  assert(has(event(0), "title", "High water") && has(event(0), "key", "dam"));
  assert(has(agent_json_get(event(0), "author"), "name", "Tides"));
  assert(has(event(1), "type", "__message") && has(event(1), "message", "High water: 3.2 m"));
  assert(has(agent_json_get(event(1), "room"), "id", "ops"));
  assert(agent_json_get(event(1), "uid").len == 34);
  assert(has(event(2), "type", "chan") && !event(3).ptr);
  assert(has(agent_json_get(event(2), "M1"), "value", "High water: 3.2 m"));
}

static void a_text_stands_for_an_id_or_a_name(void) {
  print((agent_alert){.text = "x"}, "{\"author\":\"A\",\"room\":\"ops\"}");
  assert(has(agent_json_get(event(1), "author"), "name", "A"));
  assert(has(agent_json_get(event(1), "room"), "id", "ops"));
}

static void fields_are_added_and_replace_nothing(void) {
  agent_json fields = agent_text("{\"count\":3,\"text\":\"other\",\"timestamp\":1,\"a\\u0062\":[1]}");
  print((agent_alert){.text = "x", .fields = fields}, "{}");
  assert(agent_json_int(agent_json_get(event(0), "count"), 0) == 3 && has(event(0), "text", "x"));
  assert(agent_json_kind_of(agent_json_get(event(0), "ab")) == AGENT_JSON_ARRAY);
  assert(agent_json_int(agent_json_get(event(0), "timestamp"), 0) == 7);
}

static void an_output_that_is_wrong_breaks_nothing(void) {
  static const char *const outputs[] = {
      "{", "[]", "{\"author\":1,\"room\":null}", "{\"event_type\":{}}", "{\"message_event\":\"x\"}",
      "{\"author\":{\"name\":}}",
  };
  for (size_t at = 0; at < sizeof outputs / sizeof *outputs; at++) {
    print((agent_alert){.text = NULL}, outputs[at]);
    assert(has(event(0), "type", "alert"));
  }
}

static int count_alerts(int64_t limit, const int64_t *times, size_t count) {
  static agent_rate rate;
  int alerts = 0;
  agent_rate_init(&rate, limit, 60000, 60000);
  for (size_t at = 0; at < count; at++) alerts += agent_rate_add(&rate, times[at]);
  return alerts;
}

static void too_many_within_the_window_are_said_once_in_a_cooldown(void) {
  static const int64_t times[] = {0, 50000, 70000, 80000, 90000};
  static const int64_t slow[] = {0, 1, 60000}, fast[] = {0, 1, 59999};
  static const int64_t extremes[] = {INT64_MIN, INT64_MAX, INT64_MIN, 0, INT64_MAX, INT64_MAX};
  static const int64_t many[2 * AGENT_RATE_MAX];
  assert(count_alerts(3, times, 5) == 1);
  assert(count_alerts(3, slow, 3) == 0 && count_alerts(3, fast, 3) == 1);
  assert(count_alerts(3, extremes, 6) <= 6);
  assert(count_alerts(0, fast, 3) == 1 && count_alerts(INT64_MAX, many, AGENT_RATE_MAX - 1) == 0);
  assert(count_alerts(INT64_MAX, many, 2 * AGENT_RATE_MAX) == 1);
}

int main(void) {
  an_alert_without_an_output_is_one_event();
  an_output_says_it_in_a_room_and_on_a_channel();
  a_text_stands_for_an_id_or_a_name();
  fields_are_added_and_replace_nothing();
  an_output_that_is_wrong_breaks_nothing();
  too_many_within_the_window_are_said_once_in_a_cooldown();
  agent_json_reset(&events);
  return 0;
}
