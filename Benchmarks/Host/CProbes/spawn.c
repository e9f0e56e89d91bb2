#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probes.h"

int64_t probe_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct child { pid_t pid; int in, out; };

static int start(const char *path, struct child *child) {
  static char *const environment[] = {NULL};
  char *const arguments[] = {(char *)path, NULL};
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) return errno;
  if (pipe2(out, O_CLOEXEC) != 0) return errno;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  int error = posix_spawn(&child->pid, path, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  child->in = in[1];
  child->out = out[0];
  return error;
}

static void end(struct child *child) {
  kill(child->pid, SIGKILL);
  waitpid(child->pid, NULL, 0);
  close(child->in);
  close(child->out);
}

static int64_t spawn_all(const char *path, struct child *children, int count, int *started) {
  int64_t begin = probe_now();
  for (int i = 0; i < count; i++) {
    int error = start(path, &children[i]);
    if (error != 0) return -error;
    *started = i + 1;
  }
  char byte;
  for (int i = 0; i < count; i++)
    if (read(children[i].out, &byte, 1) != 1) return -EPIPE;
  return probe_now() - begin;
}

int64_t probe_spawn(const char *path, int count) {
  struct child *children = calloc((size_t)count, sizeof *children);
  if (children == NULL) return -ENOMEM;
  int started = 0;
  int64_t result = spawn_all(path, children, count, &started);
  for (int i = 0; i < started; i++) end(&children[i]);
  free(children);
  return result;
}
