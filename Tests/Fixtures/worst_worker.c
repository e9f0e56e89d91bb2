/* A command that speaks the worker protocol well enough to get to work, and then sends the worst
 * that it can, for as long as it is let: worst_worker MODE.
 *   descriptors   beside frames that announce none
 *   bodies        PUBLISH in memfds of 15 MB, thousands of events, as far as credit reaches
 *   huge-bodies   PUBLISH in memfds of 256 MB, many in one message
 *   records       LOG of 60 MB in memfds, and of a megabyte in frames
 *   answers       asks for all events, and never reads
 *   subscribe     takes the greatest capacity, grants no credit, and publishes
 *   output        without an end of a line
 *   heartbeats    without end
 *   unknown       ops that nobody knows, whose answers it doesn't read
 *   crash-report  one with numbers that no address has, of files that aren't its own
 *   half-frames   all but the last byte of a frame of a megabyte
 *   replies       REPLY, ERROR and PART, as long as they may be, to calls that nobody made
 *   metrics       new names and labels without end
 *   state         new keys with long values without end
 *   calls         CALL in memfds of 4 MB, to every service, without reading an answer
 *   block         a thousand subscriptions that block, without credit, and publishes
 *   rows          a thousand queries whose rows repeat long texts, without credit
 *   lists         a thousand queries that hold all that they get, with all credit
 *   groups        queries that group by a value that is new in each event, without end
 *   consumers     new durable consumers without end, which never acknowledge */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOAD = 2, LOADED, CONFIGURE, READY, START, STOP, PING, REPLY, ERROR, PART,
       PUBLISH = 14, SUBSCRIBE, UNSUBSCRIBE, CREDIT = 18, LOG, HEARTBEAT, CALL, BESIDE = 0x80, MEGABYTE = 1 << 20 };

static int host;
static char *large;

static void put(const void *bytes, size_t length, int *files, int count) {
  union { char bytes[CMSG_SPACE(16 * sizeof(int))]; struct cmsghdr align; } control;
  memset(&control, 0, sizeof control);
  while (length) {
    struct iovec part = { (void *)bytes, length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count) {
      message.msg_control = control.bytes;
      message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
      memcpy(CMSG_DATA(header), files, (size_t)count * sizeof(int));
    }
    ssize_t sent = sendmsg(host, &message, MSG_NOSIGNAL);
    if (sent <= 0) exit(0);
    bytes = (const char *)bytes + sent;
    length -= (size_t)sent;
    count = 0;
  }
}

static size_t head(char *into, unsigned char op, uint32_t id, size_t length) {
  uint32_t size = (uint32_t)length + 5;
  memcpy(into, &size, 4);
  into[4] = (char)op;
  memcpy(into + 5, &id, 4);
  return 9;
}

static void frame(unsigned char op, uint32_t id, const char *body) {
  size_t length = strlen(body);
  char *bytes = malloc(length + 9);
  memcpy(bytes + head(bytes, op, id, length), body, length);
  put(bytes, length + 9, NULL, 0);
  free(bytes);
}

static int sealed(const char *start, size_t size, const char *end) {
  int file = memfd_create("worst", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)size) < 0) exit(0);
  if (pwrite(file, start, strlen(start), 0) < 0) exit(0);
  if (*end && pwrite(file, end, strlen(end), (off_t)(size - strlen(end))) < 0) exit(0);
  fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

static void beside(unsigned char op, int file, int times) {
  char bytes[16 * 11];
  int files[16];
  for (int i = 0; i < times; i++) {
    memcpy(bytes + i * 11 + head(bytes + i * 11, op | BESIDE, 0, 2), "{}", 2);
    files[i] = file;
  }
  put(bytes, (size_t)times * 11, files, times);
}

/* The next frame's op; PING and STOP are answered. */
static unsigned char next(uint32_t *id) {
  unsigned char header[9];
  for (;;) {
    if (recv(host, header, 9, MSG_WAITALL) != 9) exit(0);
    uint32_t length;
    memcpy(&length, header, 4);
    memcpy(id, header + 5, 4);
    char waste[4096];
    for (length -= 5; length;) {
      ssize_t got = recv(host, waste, length < sizeof waste ? length : sizeof waste, 0);
      if (got <= 0) exit(0);
      length -= (uint32_t)got;
    }
    if (header[4] == PING || header[4] == STOP) frame(REPLY, *id, "");
    if (header[4] == STOP) exit(0);
    if (header[4] != PING) return header[4];
  }
}

static void get_to_work(void) {
  char hello[128];
  uint32_t id;
  snprintf(hello, sizeof hello, "{\"protocol\":[1,1],\"abi\":1,\"toolchain\":\"\",\"pid\":%d}",
           getpid());
  frame(1, 0, hello);
  while (next(&id) != LOAD) {}
  const char *name = getenv("WORST_NAME");
  char loaded[256];
  snprintf(loaded, sizeof loaded, "{\"abi\":1,\"name\":\"%s\",\"version\":\"1.0.0\","
           "\"contributions\":[{\"kind\":\"datasource\",\"name\":\"%s\"}]}", name, name);
  frame(LOADED, id, loaded);
  while (next(&id) != CONFIGURE) {}
  frame(READY, id, "{}");
  while (next(&id) != START) {}
  frame(REPLY, id, "");
  while (next(&id) != CREDIT) {}
}

/* Asks a service and waits for whatever comes next. */
static void ask(uint32_t id, const char *service, const char *method, const char *input) {
  size_t length = strlen(input) + 200;
  char *body = malloc(length);
  snprintf(body, length, "{\"service\":\"%s\",\"method\":\"%s\",\"input\":%s}", service, method,
           input);
  frame(CALL, id, body);
  free(body);
  uint32_t answered;
  next(&answered);
}

static char *text(const char *start, size_t size, const char *end) {
  char *all = malloc(size + 1);
  memset(all, 'x', size);
  memcpy(all, start, strlen(start));
  strcpy(all + size - strlen(end), end);
  return all;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  const char *socket = getenv("AGENT_WORKER_FD"), *crash = getenv("AGENT_CRASH_FD");
  host = socket ? atoi(socket) : 3;
  char name[64];
  snprintf(name, sizeof name, "worst-%s", mode);
  setenv("WORST_NAME", name, 1);
  get_to_work();
  uint32_t id = 100;
  large = text("[{\"type\":\"large\",\"pad\":\"", MEGABYTE - 100, "\"}]");
  if (!strcmp(mode, "descriptors")) {
    int files[16] = { 0 };
    char bytes[9];
    for (;;) put(bytes, head(bytes, HEARTBEAT, 0, 0), files, 16);
  } else if (!strcmp(mode, "bodies")) {
    /* Events of the greatest length, of values that take more space than their text. */
    char *many = text("", 15 * MEGABYTE, "");
    size_t used = 0;
    many[used++] = '[';
    for (int event = 0; event < 16; event++) {
      used += (size_t)sprintf(many + used, "%s{\"type\":\"many\",\"v\":[0", event ? "," : "");
      for (int i = 0; i < 40000; i++)
        used += (size_t)sprintf(many + used, ",\"%020d\"", i);
      used += (size_t)sprintf(many + used, "]}");
    }
    many[used++] = ']';
    many[used] = 0;
    int file = sealed(many, used, "");
    for (int i = 0; i < 20; i++) beside(PUBLISH, file, 1);
  } else if (!strcmp(mode, "huge-bodies")) {
    beside(PUBLISH, sealed("[", 256 * (size_t)MEGABYTE, "]"), 16);
  } else if (!strcmp(mode, "records")) {
    int file = sealed("{\"level\":\"warning\",\"message\":\"", 60 * (size_t)MEGABYTE, "");
    char *record = text("{\"level\":\"warning\",\"message\":\"", MEGABYTE - 100, "\"}");
    for (;;) { beside(LOG, file, 1); frame(LOG, 0, record); }
  } else if (!strcmp(mode, "answers")) {
    for (int i = 0; i < 64; i++) frame(PUBLISH, 0, large);
    for (;;) frame(CALL, id++, "{\"service\":\"events/1\",\"method\":\"query\","
                               "\"input\":{\"query\":\"large\",\"limit\":10000}}");
  } else if (!strcmp(mode, "subscribe")) {
    frame(SUBSCRIBE, id, "{\"query\":\"large\",\"capacity\":100000}");
    for (int i = 0; i < 300; i++) frame(PUBLISH, 0, large);
  } else if (!strcmp(mode, "output")) {
    for (;;) if (write(1, large, MEGABYTE - 100) < 0) return 1;
  } else if (!strcmp(mode, "heartbeats")) {
    for (;;) frame(HEARTBEAT, 0, "");
  } else if (!strcmp(mode, "unknown")) {
    for (;;) frame(99, id++, "");
  } else if (!strcmp(mode, "half-frames")) {
    char *half = text("", MEGABYTE, "");
    put(half, head(half, PUBLISH, 0, MEGABYTE - 9), NULL, 0);
    put(large, MEGABYTE - 200, NULL, 0);
  } else if (!strcmp(mode, "replies")) {
    for (;;) {
      frame(REPLY, id++, large);
      frame(ERROR, id++, large);
      frame(PART, id++, large);
      beside(PART, sealed("{}", 15 * (size_t)MEGABYTE, ""), 1);
    }
  } else if (!strcmp(mode, "metrics")) {
    for (int i = 0;; i++) {
      char input[400];
      snprintf(input, sizeof input, "{\"metrics\":[{\"name\":\"m%d\",\"add\":1,\"labels\":"
               "{\"l\":\"%0200d\"}}],\"health\":[{\"component\":\"c%d\",\"state\":\"ok\"}]}", i % 200,
               i, i);
      ask(id++, "metrics/1", "report", input);
    }
  } else if (!strcmp(mode, "state")) {
    char *input = text("{\"changes\":[{\"key\":\"00000000\",\"value\":\"", MEGABYTE, "\"}]}");
    for (int i = 0;; i++) {
      char digits[12];
      snprintf(digits, sizeof digits, "%08d", i);
      memcpy(strstr(input, "key\":\"") + 6, digits, 8);
      ask(id++, "state/1", "write", input);
    }
  } else if (!strcmp(mode, "calls")) {
    const char *starts[] = {
      "{\"service\":\"tasks/1\",\"method\":\"create_task\",\"input\":\"",
      "{\"service\":\"state/1\",\"method\":\"write\",\"input\":\"",
      "{\"service\":\"metrics/1\",\"method\":\"report\",\"input\":\"",
      "{\"service\":\"events/1\",\"method\":\"query\",\"input\":\"",
      "{\"service\":\"nothing/1\",\"method\":\"m\",\"input\":\"" };
    int files[5];
    char *body = text("", 4 * (size_t)MEGABYTE, "\"}");
    for (int i = 0; i < 5; i++) {
      memset(body, 'x', 200);
      memcpy(body, starts[i], strlen(starts[i]));
      files[i] = sealed(body, 4 * (size_t)MEGABYTE, "");
    }
    for (int i = 0;; i++) {
      char bytes[11];
      memcpy(bytes + head(bytes, CALL | BESIDE, id++, 2), "{}", 2);
      put(bytes, 11, &files[i % 5], 1);
    }
  } else if (!strcmp(mode, "block")) {
    for (int i = 0; i < 1000; i++) {
      char body[120];
      snprintf(body, sizeof body, "{\"query\":\"large -n:%d\",\"capacity\":100000,"
               "\"overflow\":\"block\"}", i);
      frame(SUBSCRIBE, id++, body);
    }
    for (int i = 0; i < 300; i++) frame(PUBLISH, 0, large);
  } else if (!strcmp(mode, "rows") || !strcmp(mode, "lists")) {
    int holds = !strcmp(mode, "lists");
    for (int i = 0; i < 8; i++) frame(PUBLISH, 0, large);
    for (int i = 0; i < 1000; i++) {
      frame(SUBSCRIBE, id, holds
            ? "{\"query\":\"large => list(pad) as l over all every second\",\"span\":\"since ts 0\"}"
            : "{\"query\":\"large => pad as a, pad as b, pad as c, pad as d\",\"span\":\"since ts 0\"}");
      if (holds) frame(CREDIT, id, "{\"n\":1000}");
      id++;
    }
  } else if (!strcmp(mode, "groups")) {
    for (int i = 0; i < 30; i++)
      frame(SUBSCRIBE, id++, "{\"query\":\"group => count() as n by g every hour\",\"span\":\"since ts 0\"}");
    char *many = text("", MEGABYTE, "");
    for (int i = 0;;) {
      /* As many as the host gives credit for again at a time. */
      size_t used = 0;
      for (int event = 0; event < 256; event++, i++)
        used += (size_t)sprintf(many + used, "%c{\"type\":\"group\",\"g\":\"%03500d\"}",
                                event ? ',' : '[', i);
      memcpy(many + used, "]", 2);
      frame(PUBLISH, 0, many);
      uint32_t other;
      while (next(&other) != CREDIT) {}
    }
  } else if (!strcmp(mode, "consumers")) {
    for (int i = 0;; i++) {
      char body[300];
      snprintf(body, sizeof body, "{\"query\":\"*\",\"consumer\":\"%0100d\",\"start\":\"oldest\"}", i);
      frame(SUBSCRIBE, id, body);
      uint32_t answered;
      next(&answered);
      frame(UNSUBSCRIBE, id++, "");
    }
  } else if (!strcmp(mode, "crash-report")) {
    const char *report = "{\"pcs\":[-1,\"0x2\"],\"images\":[{\"path\":\"/dev/zero\",\"base\":\"0x1\"}]}";
    if (write(crash ? atoi(crash) : 4, report, strlen(report)) < 0) return 1;
    return 1;
  }
  for (;;) next(&id);
}
