internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// The size of the lines of an audit log. Lines are counted once: the log may have 256 MiB.
final class AuditSize: Sendable {
  private struct Counted {
    /// The number of the first counted line, and of the last.
    var first: Int64
    var last: Int64
    var bytes: Int64
  }

  /// How many lines one read counts, so that no read takes long.
  private static let part: Int64 = 10_000

  private let counted = Mutex<Counted?>(nil)

  /// Returns the approximate size of all lines in bytes. Only lines are read that were added since
  /// the last call.
  func bytes(from first: Int64, through last: Int64, in store: any Store) async throws -> Int64 {
    var sum = Counted(first: first, last: max(first, 1).subtracting(1), bytes: 0)
    // Lines that somebody else has removed aren't known by their size.
    if let known = counted.withLock({ $0 }), known.first == first, known.last <= last {
      sum = known
    }
    while sum.last < last {
      try Task.checkCancellation()
      let (begin, end) = (sum.last, sum.last.adding(min(Self.part, last.subtracting(sum.last))))
      let part = try await store.read { try $0.audit.bytes(after: begin, through: end) }
      sum.bytes = sum.bytes.adding(part)
      sum.last = end
    }
    let result = sum
    counted.withLock { $0 = result }
    return result.bytes
  }

  /// The lines up to a number, of a size, were removed.
  func remove(through number: Int64, bytes: Int64) {
    counted.withLock { counted in
      guard var known = counted else { return }
      known.first = number.adding(1)
      known.bytes = known.bytes.subtracting(bytes)
      counted = known
    }
  }
}
