/* A library to preload in front of libfaketime, which moves timers of the steady clock by what the
 * wall clock is off, although it shows the steady clock as it is: with a clock that was set back they
 * ring that much too late. */
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int fd, int flags, const struct itimerspec *next, struct itimerspec *former) {
  return (int)syscall(SYS_timerfd_settime, fd, flags, next, former);
}
