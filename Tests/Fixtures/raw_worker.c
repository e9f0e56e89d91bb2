/* A command that speaks the worker protocol badly: raw_worker MODE.
 *   garbage       random bytes instead of HELLO
 *   huge-length   announces a frame of 2 GB
 *   silent        says HELLO and nothing more
 *   dumb          says nothing at all
 *   exit          says HELLO and exits with 5
 *   hang-up       says HELLO, shuts the socket down and goes on running
 *   flood         says HELLO, then records without end */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int host;

static void put(const void *bytes, size_t length) {
  const char *next = bytes;
  while (length) {
    ssize_t sent = send(host, next, length, MSG_NOSIGNAL);
    if (sent <= 0) exit(0);
    next += sent;
    length -= (size_t)sent;
  }
}

static void frame(unsigned char op, const char *body) {
  unsigned size = (unsigned)strlen(body) + 5;
  unsigned char header[9] = { size & 255, size >> 8 & 255, size >> 16 & 255, size >> 24, op };
  put(header, sizeof header);
  put(body, size - 5);
}

static void hello(void) {
  char body[128];
  snprintf(body, sizeof body, "{\"protocol\":[1,1],\"abi\":1,\"toolchain\":\"\",\"pid\":%d}",
           getpid());
  frame(1, body);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "silent";
  const char *number = getenv("AGENT_WORKER_FD");
  host = number ? atoi(number) : 3;
  char read_into[4096];
  if (!strcmp(mode, "garbage"))
    put("\x2a\x00\x00\x00 this is no frame that anybody would understand", 48);
  else if (!strcmp(mode, "huge-length")) put("\xff\xff\xff\x7f\x01\x00\x00\x00\x00", 9);
  else if (strcmp(mode, "dumb")) hello();
  if (!strcmp(mode, "exit")) return 5;
  if (!strcmp(mode, "hang-up")) {
    // The sandbox refuses to close the socket.
    shutdown(host, SHUT_RDWR);
    for (;;) pause();
  }
  if (!strcmp(mode, "flood")) for (;;) frame(19, "{\"level\":\"info\",\"message\":\"again\"}");
  while (recv(host, read_into, sizeof read_into, 0) > 0) {}
  return 0;
}
