internal import Synchronization

/// A number that many count up.
final class Tally: Sendable {
  private let number = Atomic(0)

  /// - Returns: what it is then.
  func add(_ count: Int) -> Int { number.add(count, ordering: .relaxed).newValue }
}
