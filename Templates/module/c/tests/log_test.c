/* From the module's folder:
 *   cc -pthread -I {{sdk}}/Sources/CAgentModule/include -o /tmp/log_test tests/log_test.c &&
 *     /tmp/log_test
 */
#undef NDEBUG
#include "../datasources/log_file.c"
#include "../logic_adapters/error_count.c"

#include <assert.h>

static void lines_with_an_error_word_are_errors(void) {
  agent_json words = agent_text("[\"error\", \"fatal\"]");
  assert(has_error_word(words, "12:00 ERROR: the disk is full"));
  assert(!has_error_word(words, "12:00 info: started"));
}

static void questions_are_told_from_other_talk(void) {
  char asked[] = "How many errors in the last 5 minutes?", any[] = "any errors in the last hour?";
  char talk[] = "how are you?";
  question q;
  assert(question_read(&q, asked) && q.seconds == 300 && q.confidence > 0.9);
  assert(question_read(&q, any) && q.seconds == 3600);
  assert(!question_read(&q, talk));
}

static void an_answer_says_how_many_there_were(void) {
  question q = {.seconds = 300, .confidence = 0.95};
  agent_json_writer answer = {0};
  print_answer(&answer, &q, agent_text("{\"events\":[{\"line\":\"a\"},{\"line\":\"disk full\"}]}"));
  agent_json text = agent_json_get(agent_json_written(&answer), "text");
  assert(agent_json_equals(text, "2 errors in the last 5 minutes. The latest: disk full"));
  agent_json_reset(&answer);
}

int main(void) {
  lines_with_an_error_word_are_errors();
  questions_are_told_from_other_talk();
  an_answer_says_how_many_there_were();
  puts("all passed");
  return 0;
}
