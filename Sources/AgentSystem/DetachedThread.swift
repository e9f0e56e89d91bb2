internal import Glibc

/// Threads of the system. A thread does one piece of work and ends with it. Nobody joins it.
///
/// Rationale: the cooperative pool has a thread a core. Work that blocks would keep one of them
/// from all tasks.
package enum DetachedThread {
  /// The system refuses a thread.
  package struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the system's error, such as `EAGAIN`.
    package let number: Int32

    /// Makes an error of its number.
    package init(number: Int32) { self.number = number }

    /// The system's words for the error.
    package var description: String { SystemError.text(number) }
  }

  private final class Work: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Starts a thread. It blocks the signals that the caller's thread blocks. Any thread.
  /// - Parameters:
  ///   - name: the name that the system shows. It keeps 15 bytes.
  ///   - stackSize: in bytes. Nil means what the system gives to each thread, 8 MiB as a rule.
  ///   - work: is called once on the new thread, and never if this method throws.
  package static func start(
    _ name: String, stackSize: Int? = nil, work: @escaping @Sendable () -> Void
  ) throws(StartError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize {
      let outcome = pthread_attr_setstacksize(&attributes, stackSize)
      guard outcome == 0 else { throw StartError(number: outcome) }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Work(name, work))
    let outcome = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        DetachedThread.show(work.name)
        work.run()
        return nil
      }, context.toOpaque())
    guard outcome == 0 else {
      // The thread would have taken this reference over.
      context.release()
      throw StartError(number: outcome)
    }
    pthread_detach(thread)
  }

  /// Names the calling thread. Swift can't call `prctl` or `pthread_setname_np`. A thread without
  /// its name works as well, so a failure is ignored.
  private static func show(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
  }
}
