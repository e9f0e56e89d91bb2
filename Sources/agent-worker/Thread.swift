import CCrashReport
import Glibc

/// Starts threads that live as long as the process.
///
/// Rationale: AgentSystem has such a type for the host. It links zlib, which every worker would
/// have to load at its start.
enum Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Work(body)
    let error = create(Unmanaged.passRetained(work).toOpaque())
    guard error == 0 else {
      Exit.now(71, "A thread can't be started: \(String(cString: strerror(error))).")
    }
  }

  private static func create(_ context: UnsafeMutableRawPointer) -> Int32 {
    var thread = pthread_t()
    return pthread_create(&thread, nil, entry, context)
  }

  private static let entry:
    @convention(c) @Sendable (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      guard let context else { return nil }
      crash_cover_thread()
      Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }
}
