internal import Glibc

/// A counting semaphore of the system, for this target's own threads.
///
/// `@unchecked`, because a `sem_t` may be used from several threads. Its address never changes, and
/// it is freed with the last reference.
final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(handle, 0, 0) }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal handler on this thread ends the wait early.
    while sem_wait(handle) != 0 && errno == EINTR {}
  }
}
