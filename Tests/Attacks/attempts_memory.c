/* Memory that outlives the module, or that no metric shows; and what an honest module needs. */
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int segment(void) {
  int id = shmget(IPC_PRIVATE, 4096, 0600);
  int result = tried(id);
  if (id >= 0) shmctl(id, IPC_RMID, NULL);
  return result;
}
static int semaphore(void) {
  int id = semget(IPC_PRIVATE, 1, 0600);
  int result = tried(id);
  if (id >= 0) semctl(id, 0, IPC_RMID);
  return result;
}
static int queue(void) {
  int id = msgget(IPC_PRIVATE, 0600);
  int result = tried(id);
  if (id >= 0) msgctl(id, IPC_RMID, NULL);
  return result;
}
static int named_queue(void) {
  mqd_t id = mq_open("/agent-attack", O_RDWR | O_CREAT, 0600, NULL);
  int result = tried(id);
  if (id >= 0) { mq_close(id); mq_unlink("/agent-attack"); }
  return result;
}
static int large_file(void) {
  int fd = memfd_create("large", MFD_CLOEXEC);
  if (fd < 0) return errno;
  int result = tried(ftruncate(fd, (257l << 20)));
  close(fd);
  return result;
}

static int shared(int flags, int fd) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, fd, 0);
  return memory == MAP_FAILED ? errno : tried(munmap(memory, 4096));
}
static int shared_memory(void) { return shared(MAP_SHARED | MAP_ANONYMOUS, -1); }
static int shared_zeros(void) {
  int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
  if (fd < 0) return errno;
  int result = shared(MAP_SHARED, fd);
  close(fd);
  return result;
}

const attempt memory_attempts[] = {
  { "shmget", segment }, { "semget", semaphore }, { "msgget", queue }, { "mq_open", named_queue },
  { "a memfd of 257 MB", large_file }, { "shared memory without a file", shared_memory },
  { "shared memory of /dev/zero", shared_zeros }, { 0 },
};

static void *nothing(void *context) { return context; }
static volatile sig_atomic_t arrived;
static void note(int number) { (void)number; arrived = 1; }

static int readable(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char byte;
  int result = fd < 0 ? errno : read(fd, &byte, 1) == 1 ? 0 : EIO;
  if (fd >= 0) close(fd);
  return result;
}
static int own_file(void) { return readable("module.json"); }
static int system_file(void) { return readable("/usr/lib/os-release"); }
static int certificates(void) {
  int fd = open("/etc/ssl/certs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Another family of systems has them elsewhere. */
  if (fd < 0) return errno == ENOENT ? 0 : errno;
  close(fd);
  return 0;
}
static int own_status(void) { return readable("/proc/self/status"); }
static int thread(void) {
  pthread_t made;
  int error = pthread_create(&made, NULL, nothing, NULL);
  return error ? error : pthread_join(made, NULL);
}
static int own_signal(void) {
  sigset_t set;
  arrived = 0;
  /* The parent may have blocked the signal. */
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  signal(SIGUSR1, note);
  if (raise(SIGUSR1)) return errno;
  return arrived ? 0 : EIO;
}
static int own_pair(void) {
  int ends[2];
  char byte;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return errno;
  int result = send(ends[0], "x", 1, 0) == 1 && recv(ends[1], &byte, 1, 0) == 1 ? 0 : errno;
  close(ends[0]);
  close(ends[1]);
  return result;
}
static int memory(void) {
  int fd = memfd_create("small", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return errno;
  int result = write(fd, "x", 1) == 1 ? 0 : errno;
  if (!result) result = tried(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
  close(fd);
  return result;
}
static int waiting(void) {
  int poll = epoll_create1(EPOLL_CLOEXEC), timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  int counter = eventfd(0, EFD_CLOEXEC);
  int result = poll < 0 || timer < 0 || counter < 0 ? errno : 0;
  close(poll);
  close(timer);
  close(counter);
  return result;
}
static int random_bytes(void) {
  char bytes[8];
  return getrandom(bytes, sizeof bytes, 0) == sizeof bytes ? 0 : errno;
}
static int own_limit(void) {
  struct rlimit now;
  if (getrlimit(RLIMIT_NOFILE, &now)) return errno;
  return tried(setrlimit(RLIMIT_NOFILE, &now));
}
static int own_priority(void) {
  return tried(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)));
}
static int null(void) {
  int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  int result = fd < 0 ? errno : write(fd, "x", 1) == 1 ? 0 : EIO;
  if (fd >= 0) close(fd);
  return result;
}
static int sleeping(void) {
  struct timespec moment = { 0, 1000 };
  return tried(nanosleep(&moment, NULL));
}

const attempt honest_attempts[] = {
  { "honest: read its own file", own_file }, { "honest: read /usr", system_file },
  { "honest: list certificates", certificates }, { "honest: read /proc/self", own_status }, { "honest: start a thread", thread },
  { "honest: raise a signal", own_signal }, { "honest: talk over a pair", own_pair },
  { "honest: seal a memfd", memory }, { "honest: wait for events", waiting },
  { "honest: random bytes", random_bytes }, { "honest: its own limit", own_limit },
  { "honest: its own priority", own_priority }, { "honest: write /dev/null", null },
  { "honest: sleep", sleeping }, { 0 },
};
