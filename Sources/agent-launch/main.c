/* agent-launch [OPTION]... -- COMMAND [ARGUMENT]...
 *
 *   --sandbox default|required|off   what to do where the kernel can't do everything
 *   --read PATH  --write PATH  --run PATH   may be read, written, executed; any number of times
 *   --network                        sockets may be opened
 *   --memory BYTES  --files N  --cpu SECONDS
 *
 * Ends with 127 when the command doesn't exist, with 126 when it can't be started as asked. */
#define _GNU_SOURCE
#include "launch.h"
#include "sandbox.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct options {
  const char *level;
  const char **read, **write, **run;
  size_t reads, writes, runs;
  int network;
  sandbox_limits limits;
} options;

static void fail(int status, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

static void fail(int status, const char *format, ...) {
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  /* One write: standard error becomes log records, a line each. */
  dprintf(STDERR_FILENO, "agent-launch: %s\n", sentence);
  exit(status);
}

static int64_t number(const char *option, const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end || value < 0)
    fail(126, "--%s needs a number that isn't negative, not \"%s\".", option, text);
  return value;
}

static void parse(options *o, int argc, char **argv) {
  static const struct option known[] = {
    { "sandbox", 1, 0, 's' }, { "read", 1, 0, 'r' }, { "write", 1, 0, 'w' }, { "run", 1, 0, 'x' },
    { "network", 0, 0, 'n' }, { "memory", 1, 0, 'm' }, { "files", 1, 0, 'f' }, { "cpu", 1, 0, 'c' },
    { 0, 0, 0, 0 } };
  for (int option; (option = getopt_long(argc, argv, "+", known, NULL)) != -1;) switch (option) {
    case 's': o->level = optarg; break;
    case 'r': o->read[o->reads++] = optarg; break;
    case 'w': o->write[o->writes++] = optarg; break;
    case 'x': o->run[o->runs++] = optarg; break;
    case 'n': o->network = 1; break;
    case 'm': o->limits.memory = number("memory", optarg); break;
    case 'f': o->limits.files = number("files", optarg); break;
    case 'c': o->limits.cpu = number("cpu", optarg); break;
    default: exit(126);
  }
  if (strcmp(o->level, "default") && strcmp(o->level, "required") && strcmp(o->level, "off"))
    fail(126, "--sandbox is \"default\", \"required\" or \"off\", not \"%s\".", o->level);
  if (optind >= argc) fail(126, "No command was given. Put it after --.");
}

static void contain(options *o, const char *const *programs) {
  if (!strcmp(o->level, "off")) return;
  int forks = o->runs > 0;
  for (; *programs; programs++) o->run[o->runs++] = *programs;
  sandbox_request request = { .read = o->read, .write = o->write, .run = o->run,
    .network = o->network, .fork = forks, .exec = 1 };
  char detail[512];
  sandbox_reached reached = sandbox_apply(&request, detail, sizeof detail);
  if (reached == SANDBOX_FULL) return;
  if (!strcmp(o->level, "required"))
    fail(126, "The settings require a sandbox that this kernel can't give. %s", detail);
  dprintf(STDERR_FILENO, "agent-launch: The sandbox is incomplete. %s\n", detail);
}

/* One array for each list, long enough for every argument and the programs. */
static const char **list(int argc) {
  const char **paths = calloc((size_t)argc + LAUNCH_PROGRAMS + 1, sizeof *paths);
  if (!paths) fail(126, "There is no memory.");
  return paths;
}

int main(int argc, char **argv) {
  options o = { .level = "default", .read = list(argc), .write = list(argc), .run = list(argc),
    .limits = { -1, -1, -1 } };
  parse(&o, argc, argv);
  char **command = argv + optind;
  const char *descriptor = getenv("AGENT_WORKER_FD");
  if (sandbox_follow_parent(descriptor ? atoi(descriptor) : -1)) fail(126, "The host is gone.");

  const char *programs[LAUNCH_PROGRAMS + 1];
  int error = launch_programs(command[0], programs);
  if (error)
    fail(error == ENOENT ? 127 : 126, "\"%s\" can't be started: %s.", command[0],
         strerror(error));
  error = sandbox_limit(&o.limits);
  if (error) fail(126, "The limits can't be set: %s.", strerror(error));
  contain(&o, programs);
  execv(programs[0], command);
  fail(errno == ENOENT ? 127 : 126, "\"%s\" can't be started: %s.", programs[0], strerror(errno));
}
