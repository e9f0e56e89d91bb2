import Synchronization

/// A fixed number of counters. Any thread may increment them, without a lock.
final class AtomicCounts: Sendable {
  private let size: Int
  // Safe: the pointer never changes, the memory lives as long as this object, and every access is
  // atomic. An array can't hold atomics, because atomics can't be copied.
  private nonisolated(unsafe) let cells: UnsafeMutablePointer<Atomic<Int>>

  init(_ size: Int) {
    self.size = size
    cells = .allocate(capacity: size)
    for index in 0..<size { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: size)
    cells.deallocate()
  }

  func increment(at index: Int) {
    precondition(index >= 0 && index < size)
    cells[index].wrappingAdd(1, ordering: .relaxed)
  }

  subscript(index: Int) -> Int {
    precondition(index >= 0 && index < size)
    return cells[index].load(ordering: .relaxed)
  }
}
