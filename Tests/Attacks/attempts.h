/* attempts.h: what a module tries in order to get out. Each attempt returns 0 when it got what it
 * wanted and an errno when it was refused. All are harmless to the machine when they succeed, but
 * for those that only a host in a sandbox of its own may be asked to run. */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

typedef struct attempt {
  const char *name;
  int (*try_it)(void);
} attempt;

/* The surroundings that the attempts know. */
typedef struct surroundings {
  char agent[512];                     /* the agent's folder */
  int host, sibling;                   /* processes that are none of the module's */
} surroundings;

extern surroundings around;

/* The result of a call as an attempt's. */
int tried(long result);
/* A path in the agent's folder; valid until the next call. */
const char *in_agent(const char *name);

extern const attempt file_attempts[], process_attempts[], kernel_attempts[], socket_attempts[],
    memory_attempts[], honest_attempts[];

/* Is told the errno of each attempt, 0 for one that got what it wanted. */
typedef void (*attempt_done)(const char *name, int result);
/* Makes those attempts that are rows of tables. */
void attempts_by_table(attempt_done done);

/* Runs the attempts of which `only` (names between commas; empty: all) holds the names, and writes
 * {"NAME": errno, …}; -1 when there is no space. */
int attempts_run(const char *agent, int host, int sibling, const char *only, char *json,
                 unsigned long capacity);

#endif
