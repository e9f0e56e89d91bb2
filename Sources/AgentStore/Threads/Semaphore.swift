internal import Glibc

/// A counting semaphore of the system, for threads of our own.
///
/// `@unchecked`: a `sem_t` is made for use from several threads. Its address never changes, and it
/// is freed when nobody refers to it.
final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(handle, 0, 0) }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal handler that has run on this thread ends the wait early.
    while sem_wait(handle) != 0 && errno == EINTR {}
  }
}
