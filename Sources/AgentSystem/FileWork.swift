internal import Dispatch

/// Where the host waits for files and for programs that it asks something: a thread of its own,
/// because a wait on the cooperative pool would hold up everything else.
package enum FileWork {
  private static let thread = DispatchQueue(label: "agent.files")

  /// Does work that may wait, after what was asked for before.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.async { continuation.resume(returning: work()) }
    }
  }
}
