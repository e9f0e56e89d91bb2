/* agent-launch [OPTION]... -- COMMAND [ARGUMENT]...
 *
 *   --sandbox default|required|off   what to do where the kernel can't do everything
 *   --read PATH  --write PATH  --run PATH   may be read, written, executed; any number of times
 *   --network                        Internet sockets may be opened
 *   --watch                          changes of files may be watched for
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
  int network, watch;
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
    { "network", 0, 0, 'n' }, { "watch", 0, 0, 'i' }, { "memory", 1, 0, 'm' }, { "files", 1, 0, 'f' }, { "cpu", 1, 0, 'c' },
    { 0, 0, 0, 0 } };
  for (int option; (option = getopt_long(argc, argv, "+", known, NULL)) != -1;) switch (option) {
    case 's': o->level = optarg; break;
    case 'r': o->read[o->reads++] = optarg; break;
    case 'w': o->write[o->writes++] = optarg; break;
    case 'x': o->run[o->runs++] = optarg; break;
    case 'n': o->network = 1; break;
    case 'i': o->watch = 1; break;
    case 'm': o->limits.memory = number("memory", optarg); break;
    case 'f': o->limits.files = number("files", optarg); break;
    case 'c': o->limits.cpu = number("cpu", optarg); break;
    default: exit(126);
  }
  if (strcmp(o->level, "default") && strcmp(o->level, "required") && strcmp(o->level, "off"))
    fail(126, "--sandbox is \"default\", \"required\" or \"off\", not \"%s\".", o->level);
  if (optind >= argc) fail(126, "No command was given. Put it after --.");
}

/* The host's own descriptor for what a child has to tell before it runs foreign code. */
static void tell(sandbox_reached reached, const char *detail) {
  const char *text = getenv("AGENT_CRASH_FD");
  if (!text) return;
  int error = sandbox_tell(atoi(text), reached, detail);
  if (error) fail(126, "The host can't be told what the sandbox reached: %s.", strerror(error));
}

static void contain(options *o, const char **programs) {
  if (!strcmp(o->level, "off")) return tell(SANDBOX_NONE, "");
  const char *const *const places[] = { o->read, o->write, o->run, sandbox_always_readable() };
  const char *culprit;
  int error = launch_confine(programs, places, sizeof places / sizeof *places, &culprit);
  if (error == EPERM)
    fail(126, "\"%s\" lies neither in the module's folder, in a folder of PATH, nor in what the "
         "module may read or run. Put it there, or name it in \"permissions\".", culprit);
  if (error) fail(126, "\"%s\" can't be started: %s.", culprit, strerror(error));
  int forks = o->runs > 0;
  for (; *programs; programs++) o->run[o->runs++] = *programs;
  sandbox_request request = { .read = o->read, .write = o->write, .run = o->run,
    .network = o->network, .watch = o->watch, .fork = forks, .exec = 1 };
  char detail[512];
  sandbox_reached reached = sandbox_apply(&request, detail, sizeof detail);
  if (reached == SANDBOX_FAILED)
    fail(126, "The sandbox can't be built, so nothing is started. %s", detail);
  if (reached != SANDBOX_FULL && !strcmp(o->level, "required"))
    fail(126, "The settings require a sandbox that this kernel can't give. %s", detail);
  if (reached != SANDBOX_FULL)
    dprintf(STDERR_FILENO, "agent-launch: The sandbox is incomplete. %s\n", detail);
  tell(reached, detail);
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
  if (sandbox_end_with_parent(descriptor ? atoi(descriptor) : -1)) fail(126, "The host is gone.");

  const char *programs[LAUNCH_PROGRAMS + 1], *culprit = command[0];
  int error = launch_programs(command[0], programs, &culprit);
  if (error == EINVAL)
    fail(126, "\"%s\" can't be started: its first line gives `env` the word \"%s\". Name the "
         "program there, without options and assignments.", command[0], culprit);
  if (error)
    fail(error == ENOENT ? 127 : 126, "\"%s\" can't be started: %s: %s.", command[0], culprit,
         strerror(error));
  const char *file = programs[0];
  error = sandbox_limit(&o.limits);
  if (error) fail(126, "The limits can't be set: %s.", strerror(error));
  contain(&o, programs);
  /* By the name that was found, not by its real path: Python finds a virtual environment by it. */
  execv(file, command);
  fail(errno == ENOENT ? 127 : 126, "\"%s\" can't be started: %s.", file, strerror(errno));
}
