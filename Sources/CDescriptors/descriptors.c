#define _GNU_SOURCE
#include "include/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t descriptors_send(int socket, const void *bytes, size_t count, int descriptor) {
  if (descriptor < 0) return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1,
                           .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int descriptors_lacks(int error) {
  return error == ETOOMANYREFS || error == ENOBUFS || error == ENOMEM;
}

ssize_t descriptors_receive(int socket, void *bytes, size_t count, int *descriptors,
                            int *received) {
  union { char bytes[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))]; struct cmsghdr align; } control;
  struct iovec part = {bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1,
                           .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *received = 0;
  ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (result < 0) return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < number; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
      if (*received < DESCRIPTORS_MOST) descriptors[(*received)++] = descriptor;
      else close(descriptor);
    }
  }
  return result;
}

int descriptors_unread(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) < 0 ? -1 : bytes;
}

int descriptors_seal(const void *bytes, size_t count) {
  int descriptor = memfd_create("frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  size_t written = 0;
  while (written < count) {
    /* pwrite leaves the offset at the beginning, from where a program that inherits it reads. */
    ssize_t result = pwrite(descriptor, (const char *)bytes + written, count - written,
                            (off_t)written);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0) { int reason = errno; close(descriptor); errno = reason; return -1; }
    written += (size_t)result;
  }
  int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(descriptor, F_ADD_SEALS, seals) < 0) {
    int reason = errno; close(descriptor); errno = reason; return -1;
  }
  return descriptor;
}

ssize_t descriptors_sealed_size(int descriptor, size_t most) {
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0) return -1;
  if ((seals & (F_SEAL_WRITE | F_SEAL_SHRINK)) != (F_SEAL_WRITE | F_SEAL_SHRINK)) {
    errno = EPERM; return -1;
  }
  struct stat information;
  if (fstat(descriptor, &information) < 0) return -1;
  if (information.st_size < 0 || (size_t)information.st_size > most) { errno = EFBIG; return -1; }
  return information.st_size;
}

int descriptors_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
