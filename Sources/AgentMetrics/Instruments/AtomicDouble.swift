import Synchronization

/// A floating-point number that any thread may read and change, without a lock.
final class AtomicDouble: Sendable {
  private let bits = Atomic<UInt64>(0)

  func load() -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  /// Adds `amount`. It tries again whenever another thread has changed the number in between,
  /// because processors have no atomic addition of floating-point numbers.
  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let (exchanged, found) = bits.weakCompareExchange(
        expected: old, desired: new, ordering: .relaxed)
      if exchanged { return }
      old = found
    }
  }
}
