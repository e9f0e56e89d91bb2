#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int process_start(const char *const *arguments, const char *folder, const char *log) {
  posix_spawn_file_actions_t actions;
  pid_t pid;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND,
                                   0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  int error = posix_spawn(&pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : -error;
}

int worker_start(const char *path, const char *folder, int *own) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -errno;
  char module[4096];
  snprintf(module, sizeof module, "AGENT_MODULE_DIR=%s", folder);
  char *environment[] = {"PATH=/usr/bin:/bin", "HOME=/", "LANG=C.UTF-8", "AGENT_WORKER_FD=3",
                         "AGENT_WORKER_OF=bench", module, NULL};
  char *arguments[] = {(char *)path, NULL};
  pid_t pid;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pair[1], 3);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  int error = posix_spawn(&pid, path, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(pair[1]);
  *own = pair[0];
  return error == 0 ? pid : -error;
}

int process_wait(int pid, int64_t *cpu) {
  int status;
  struct rusage usage;
  while (wait4(pid, &status, 0, &usage) != pid)
    if (errno != EINTR) return -errno;
  *cpu = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
         ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_signal(int pid, int signal) { return kill(pid, signal) == 0 ? 0 : -errno; }

int64_t page_started(int file, int slot, int *pid) {
  int64_t entry[2] = {0, 0};
  if (pread(file, entry, sizeof entry, slot * (off_t)sizeof entry) != (ssize_t)sizeof entry)
    return 0;
  *pid = (int)entry[1];
  return entry[0];
}
