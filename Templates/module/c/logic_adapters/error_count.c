/* error_count: answers "how many errors in the last 5 minutes?". */
#include <ctype.h>

#include "agent_instance.h"

typedef struct question {
  int64_t seconds;
  double confidence; /* most when both the number of errors and a time are named */
} question;

/* Whether a word is one of a list with spaces between them. */
static bool is_one_of(const char *word, const char *words) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length) {
    bool begins = at == words || at[-1] == ' ', ends = at[length] == ' ' || !at[length];
    if (begins && ends) return true;
  }
  return false;
}

static int64_t seconds_of(const char *word) {
  if (is_one_of(word, "second seconds")) return 1;
  if (is_one_of(word, "minute minutes")) return 60;
  if (is_one_of(word, "hour hours")) return 3600;
  return is_one_of(word, "day days") ? 86400 : 0;
}

/* Reads what was said, and changes it; false when it isn't about errors. */
static bool question_read(question *q, char *text) {
  enum { MONTH = 30 * 86400 };
  bool has_errors = false, has_count = false, has_any = false;
  int64_t seconds = 0;
  long long number = 0;
  char *rest = NULL;
  for (char *c = text; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    *c = isalnum(byte) ? (char)tolower(byte) : ' ';
  }
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    int64_t unit = seconds_of(word);
    if (number < 1) number = 1;
    if (unit && !seconds) seconds = number > MONTH / unit ? MONTH : number * unit;
    has_errors |= is_one_of(word, "error errors failures");
    has_count |= is_one_of(word, "many count number");
    has_any |= is_one_of(word, "any");
    number = strtoll(word, NULL, 10);
  }
  q->seconds = seconds ? seconds : 300;
  q->confidence = !has_count ? 0.6 : seconds ? 0.95 : 0.8;
  return has_errors && (has_count || has_any || seconds);
}

/* The answer to a question with the events that were found. */
static void print_answer(agent_json_writer *answer, const question *q, agent_json found) {
  agent_json events = agent_json_get(found, "events");
  agent_json event = AGENT_JSON_NONE, last = AGENT_JSON_NONE;
  int64_t unit = q->seconds % 3600 == 0 ? 3600 : q->seconds % 60 == 0 ? 60 : 1;
  const char *name = unit == 3600 ? "hour" : unit == 60 ? "minute" : "second";
  char line[16 * 1024], text[sizeof line + 100], period[32];
  int count = 0;
  for (; agent_json_next(events, &event); count++) last = event;
  agent_json_copy_text(agent_json_get(last, "line"), line, sizeof line);
  snprintf(period, sizeof period, "%lld %ss", (long long)(q->seconds / unit), name);
  snprintf(text, sizeof text, "%s%d %s in the last %s.%s%s",
           agent_json_bool(agent_json_get(found, "truncated"), false) ? "More than " : "", count,
           count == 1 ? "error" : "errors", q->seconds == unit ? name : period,
           *line ? " The latest: " : "", line);
  agent_json_print(answer, "{'text':%s,'confidence':%g,'data':{'count':%d}}", text, q->confidence,
                   count);
}

/* One call, from its question to its answer. */
typedef struct call {
  agent_instance *adapter;
  agent_sink_v1 sink;
  question question;
} call;

static void events_found(void *ctx, agent_status status, agent_bytes result) {
  call *c = ctx;
  agent_json_writer answer = {0};
  if (status == AGENT_OK) print_answer(&answer, &c->question, result);
  c->sink.finish(c->sink.ctx, status, status == AGENT_OK ? agent_json_written(&answer) : result);
  agent_work_end(&c->adapter->work);
  agent_json_reset(&answer);
  free(c);
}

static void ask(agent_instance *adapter, const agent_sink_v1 *sink, const question *q) {
  agent_json_writer request = {0};
  call *c = malloc(sizeof *c);
  if (!c || !agent_work_begin(&adapter->work)) {
    sink->finish(sink->ctx, AGENT_CLOSED, agent_text("It is stopping."));
    free(c);
    return;
  }
  *c = (call){adapter, *sink, *q};
  agent_completion done = {c, events_found};
  agent_json_print(&request, "{'query':%.*s,'window_ms':%lld,'limit':1000}",
                   AGENT_JSON_ARG(agent_setting(adapter, "query")), (long long)q->seconds * 1000);
  adapter->events->query(adapter->events->ctx, agent_json_written(&request), done);
  agent_json_reset(&request);
}

static void error_count_invoke(void *instance, uint64_t id, agent_bytes input, int64_t deadline,
                               const agent_sink_v1 *sink) {
  char *text = agent_json_new_text(agent_json_get(input, "text"));
  question question;
  (void)id, (void)deadline;
  if (!text) {
    sink->finish(sink->ctx, AGENT_INVALID_ARGUMENT, agent_text("A statement needs a \"text\"."));
  } else if (question_read(&question, text)) {
    ask(instance, sink, &question);
  } else {
    sink->finish(sink->ctx, AGENT_OK, agent_text("{\"confidence\":0}"));
  }
  free(text);
}

static const char *error_count_init(void *self) {
  return ((agent_instance *)self)->events ? NULL : "This host offers no events.";
}

static const agent_type error_count_type = {
    .size = sizeof(agent_instance),
    .init = error_count_init,
};
const agent_contribution_v1 error_count =
    AGENT_ADAPTER(AGENT_LOGIC_ADAPTER, "error_count", error_count_type, error_count_invoke);
