#define _GNU_SOURCE
#include "question.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, A_MONTH = 2592000 };

/* The next word in lower case; false at the end. What is too long is cut: it is none of ours. */
static bool next_word(const char **text, char word[WORD]) {
  size_t length = 0;
  while (**text && !isalnum((unsigned char)**text)) (*text)++;
  while (isalnum((unsigned char)**text)) {
    if (length + 1 < WORD) word[length++] = (char)tolower((unsigned char)**text);
    (*text)++;
  }
  word[length] = 0;
  return length > 0;
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++) {
    if (!strcmp(word, *words)) return true;
  }
  return false;
}

static long long unit_of(const char *word) {
  static const struct {
    const char *name;
    long long seconds;
  } units[] = {{"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400}};
  for (size_t at = 0; at < sizeof units / sizeof *units; at++) {
    size_t length = strlen(units[at].name);
    if (!strncmp(word, units[at].name, length) && (!word[length] || !strcmp(word + length, "s"))) {
      return units[at].seconds;
    }
  }
  return 0;
}

bool question_read(question *q, const char *text) {
  static const char *const errors[] = {"error", "errors", "failures", NULL};
  static const char *const counts[] = {"many", "count", "number", NULL};
  char word[WORD], before[WORD] = "";
  bool about_errors = false, counted = false, any = false;
  long long seconds = 0;
  while (next_word(&text, word)) {
    about_errors |= is_one_of(word, errors);
    counted |= is_one_of(word, counts);
    any |= !strcmp(word, "any");
    long long unit = unit_of(word), count = atoll(before);
    if (unit && !seconds) {
      count = count < 1 ? 1 : count > A_MONTH / unit ? A_MONTH / unit : count;
      seconds = count * unit;
    }
    strcpy(before, word);
  }
  q->confidence = !counted ? 0.6 : seconds ? 0.95 : 0.8;
  q->seconds = seconds ? seconds : 300;
  return about_errors && (counted || seconds || any);
}

void question_period(const question *q, char *out, unsigned long size) {
  long long unit = q->seconds % 3600 == 0 ? 3600 : q->seconds % 60 == 0 ? 60 : 1;
  const char *name = unit == 3600 ? "hour" : unit == 60 ? "minute" : "second";
  long long count = q->seconds / unit;
  if (count == 1) {
    snprintf(out, size, "%s", name);
  } else {
    snprintf(out, size, "%lld %ss", count, name);
  }
}
