/* A question for the number of errors. */
#ifndef QUESTION_H
#define QUESTION_H

#include <stdbool.h>

typedef struct question {
  long long seconds;
  /* How sure it is that errors were asked for: most when both their number and a time are named. */
  double confidence;
} question;

/* Reads what was said; false when it isn't about errors. */
bool question_read(question *q, const char *text);

/* The period in words, such as "5 minutes", into `out`. */
void question_period(const question *q, char *out, unsigned long size);

#endif
