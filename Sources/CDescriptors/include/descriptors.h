/* Descriptors beside bytes on a Unix stream socket (SCM_RIGHTS), sealed memfds, and pipes: the
 * macros of cmsg(3) can't be used from Swift, and its Glibc has no pipe2(2). Every function returns
 * -1 and sets errno on failure. */
#ifndef BULKHEAD_DESCRIPTORS_H
#define BULKHEAD_DESCRIPTORS_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The maximum number of descriptors that one receive takes. */
#define DESCRIPTORS_MOST 16

/* Sends without blocking and without SIGPIPE; `descriptor`, unless it is -1, goes with the first
 * byte. Returns the number of bytes sent. */
ssize_t descriptors_send(int socket, const void *bytes, size_t count, int descriptor);

/* Whether this error of a send says that the system lacks something for the moment: memory, or
 * descriptors on the way, which are counted for all processes of a user (unix(7)). */
int descriptors_lacks(int error);

/* Receives without blocking. Descriptors that came along are put into `descriptors`
 * (DESCRIPTORS_MOST entries, close-on-exec), their number into `received`. Returns the number of
 * bytes, 0 at the end of the stream. */
ssize_t descriptors_receive(int socket, void *bytes, size_t count, int *descriptors,
                            int *received);

/* What the other side of a stream hasn't read yet: bytes of the kernel's memory, 0 when it has read
 * everything. */
int descriptors_unread(int socket);

/* A memfd with these bytes that nobody can change any more. Its offset is at their beginning. */
int descriptors_seal(const void *bytes, size_t count);

/* The size of a memfd that is sealed against change and shrinking, and at most `most` bytes;
 * EPERM when a seal is missing, EFBIG when it is larger. */
ssize_t descriptors_sealed_size(int descriptor, size_t most);

/* A pipe, close-on-exec from the start: a program that another thread starts never inherits it, and
 * the pipe ends when its own program does. */
int descriptors_pipe(int ends[2]);
#endif
