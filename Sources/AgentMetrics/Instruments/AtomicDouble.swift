import Synchronization

/// A floating-point number that any thread may change.
final class AtomicDouble: Sendable {
  private let bits = Atomic<UInt64>(0)

  func load() -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

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
