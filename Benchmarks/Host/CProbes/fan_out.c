#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes.h"

enum { READERS_MOST = 64 };

static void read_all(int socket, char *buffer, size_t bytes) {
  while (recv(socket, buffer, bytes, 0) > 0)
    ;
  _exit(0);
}

static int start_reader(int sockets[], int started, char *buffer, size_t bytes) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -errno;
  pid_t pid = fork();
  if (pid == 0) {
    close(pair[0]);
    /* The others end with the writer, not with this one. */
    for (int i = 0; i < started; i++) close(sockets[i]);
    read_all(pair[1], buffer, bytes);
  }
  close(pair[1]);
  sockets[started] = pair[0];
  return pid < 0 ? -EAGAIN : 0;
}

static int send_all(int socket, const char *buffer, size_t bytes) {
  while (bytes > 0) {
    ssize_t sent = send(socket, buffer, bytes, MSG_NOSIGNAL);
    if (sent < 0) return -errno;
    buffer += sent;
    bytes -= (size_t)sent;
  }
  return 0;
}

int64_t probe_fan_out(int readers, size_t bytes, int chunks) {
  int sockets[READERS_MOST], error = 0, started = 0;
  if (readers > READERS_MOST) return -EINVAL;
  char *buffer = calloc(1, bytes);
  if (buffer == NULL) return -ENOMEM;
  for (; started < readers && error == 0; started++)
    error = start_reader(sockets, started, buffer, bytes);
  int64_t begin = probe_now();
  for (int chunk = 0; chunk < chunks && error == 0; chunk++)
    for (int i = 0; i < readers && error == 0; i++) error = send_all(sockets[i], buffer, bytes);
  for (int i = 0; i < started; i++) close(sockets[i]);
  for (int i = 0; i < started; i++) wait(NULL);
  free(buffer);
  return error < 0 ? error : probe_now() - begin;
}
