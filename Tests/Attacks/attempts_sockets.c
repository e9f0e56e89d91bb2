/* Ways to talk to anybody but the host, and to the host in another role. */
#define _GNU_SOURCE
#include "attempts.h"
#include "sandbox.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int family(int domain, int type, int protocol) {
  int fd = socket(domain, type, protocol);
  int result = tried(fd);
  if (fd >= 0) close(fd);
  return result;
}
static int pair(int domain, int type) {
  int ends[2];
  if (socketpair(domain, type, 0, ends)) return errno;
  close(ends[0]);
  close(ends[1]);
  return 0;
}

static int internet(void) { return family(AF_INET, SOCK_STREAM, 0); }
static int internet6(void) { return family(AF_INET6, SOCK_DGRAM, 0); }
static int local(void) { return family(AF_UNIX, SOCK_STREAM, 0); }
static int local_datagrams(void) { return family(AF_UNIX, SOCK_DGRAM, 0); }
static int routes(void) { return family(AF_NETLINK, SOCK_RAW, 0); }
static int audit(void) { return family(AF_NETLINK, SOCK_RAW, 9); }
static int raw(void) { return family(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int packets(void) { return family(AF_PACKET, SOCK_RAW, 0); }
static int machines(void) { return family(40 /* AF_VSOCK */, SOCK_STREAM, 0); }
static int ciphers(void) { return family(38 /* AF_ALG */, SOCK_SEQPACKET, 0); }
static int pair_of_datagrams(void) { return pair(AF_UNIX, SOCK_DGRAM); }
static int pair_of_packets(void) { return pair(AF_UNIX, SOCK_SEQPACKET); }
static int pair_of_cluster(void) { return pair(30 /* AF_TIPC */, SOCK_STREAM); }

/* One end of a permitted pair, towards the management socket. */
static int with_pair(int (*call)(int, const struct sockaddr *, socklen_t)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  strncpy(address.sun_path, in_agent(".agent/agent.sock"), sizeof address.sun_path - 1);
  int result = tried(call(ends[0], (struct sockaddr *)&address, sizeof address));
  close(ends[0]);
  close(ends[1]);
  return result;
}
static int send_to(int fd, const struct sockaddr *address, socklen_t size) {
  return (int)sendto(fd, "x", 1, MSG_NOSIGNAL, address, size);
}
static int bind_abstract(int fd, const struct sockaddr *address, socklen_t size) {
  (void)address, (void)size;
  struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "\0agent-attack" };
  return bind(fd, (struct sockaddr *)&name, sizeof name);
}
static int pair_connects(void) { return with_pair(connect); }
static int pair_sends(void) { return with_pair(send_to); }
static int pair_binds(void) { return with_pair(bind); }
static int pair_binds_abstract(void) { return with_pair(bind_abstract); }
static int lingers(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
  struct linger wait = { .l_onoff = 1, .l_linger = 60 };
  int result = tried(setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &wait, sizeof wait));
  close(ends[0]);
  close(ends[1]);
  return result;
}
/* A descriptor on its way between two sockets is in no list of any process. */
static int in_flight(void) {
  int ends[2], file = memfd_create("hidden", MFD_CLOEXEC);
  if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
  union { char bytes[CMSG_SPACE(sizeof file)]; struct cmsghdr aligned; } space = { 0 };
  struct iovec byte = { "x", 1 };
  struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = space.bytes,
                            .msg_controllen = sizeof space.bytes };
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(rights), &file, sizeof file);
  int result = tried(sendmsg(ends[0], &message, MSG_NOSIGNAL));
  close(file);
  close(ends[0]);
  close(ends[1]);
  return result;
}
/* Onto itself: the worker keeps its socket where this is permitted. */
static int in_the_place_of_the_host(void) {
#ifdef SYS_dup2
  return tried(syscall(SYS_dup2, SANDBOX_HOST_SOCKET, SANDBOX_HOST_SOCKET));
#else
  return EPERM;
#endif
}
static int manages(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  strncpy(address.sun_path, in_agent(".agent/agent.sock"), sizeof address.sun_path - 1);
  static const char request[] = "GET /api/v1/status HTTP/1.1\r\nHost: agent\r\n\r\n";
  char answer[16] = "";
  int result = tried(connect(fd, (struct sockaddr *)&address, sizeof address));
  if (!result) result = tried(send(fd, request, sizeof request - 1, MSG_NOSIGNAL));
  if (!result) result = recv(fd, answer, sizeof answer - 1, 0) > 0 ? 0 : ECONNRESET;
  close(fd);
  return result;
}

const attempt socket_attempts[] = {
  { "socket AF_INET", internet }, { "socket AF_INET6", internet6 }, { "socket AF_UNIX", local },
  { "socket AF_UNIX of datagrams", local_datagrams }, { "socket NETLINK_ROUTE", routes },
  { "socket NETLINK_AUDIT", audit }, { "socket SOCK_RAW", raw }, { "socket AF_PACKET", packets },
  { "socket AF_VSOCK", machines }, { "socket AF_ALG", ciphers },
  { "socketpair of datagrams", pair_of_datagrams }, { "socketpair of packets", pair_of_packets },
  { "socketpair AF_TIPC", pair_of_cluster }, { "connect a pair", pair_connects },
  { "send from a pair", pair_sends }, { "bind a pair", pair_binds },
  { "bind a pair to an abstract name", pair_binds_abstract },
  { "make a close wait (SO_LINGER)", lingers }, { "hold a descriptor in flight", in_flight },
  { "put a socket in the place of the host's", in_the_place_of_the_host },
  { "ask the management socket", manages }, { 0 },
};
