internal import Dispatch

/// Runs work that waits for files and other programs. It has a thread of its own, because a wait on
/// the cooperative pool would delay all other tasks.
package enum FileWork {
  private static let thread = DispatchQueue(label: "agent.files")

  /// Runs work that may block, after all earlier work.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.async { continuation.resume(returning: work()) }
    }
  }
}
