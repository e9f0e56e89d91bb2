internal import DequeModule
internal import Glibc
internal import Synchronization

/// A queue to this target's own threads. Any thread may call `put`, which never blocks. `take`
/// blocks its thread.
final class WorkInbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: Deque<Element> = []
    var sleepers = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wakeUp = Semaphore()

  /// Adds an element.
  /// - Returns: false if the inbox is closed. Then the element wasn't added.
  func put(_ element: Element) -> Bool {
    let (taken, wakes) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      state.elements.append(element)
      // No thread sleeps. A signal would cost a system call and would later wake a thread without
      // work.
      guard state.sleepers > 0 else { return (true, false) }
      // The thread that signals decrements the count, so that each sleeper is woken only once.
      state.sleepers -= 1
      return (true, true)
    }
    // Outside the lock, because otherwise the woken thread would wait for it.
    if wakes { wakeUp.signal() }
    return taken
  }

  /// Blocks until there are elements, and returns at most `most` of them.
  /// - Returns: `nil` if the inbox is closed and empty.
  func take(_ most: Int) -> [Element]? {
    while true {
      let (found, isClosed) = state.withLock { state -> ([Element], Bool) in
        let count = min(most, state.elements.count)
        if count > 0 {
          let found = Array(state.elements.prefix(count))
          state.elements.removeFirst(count)
          return (found, false)
        }
        // Counted under the lock and before the wait. A `put` in between signals, and the semaphore
        // stores the signal.
        if !state.isClosed { state.sleepers += 1 }
        return ([], state.isClosed)
      }
      if !found.isEmpty { return found }
      if isClosed { return nil }
      wakeUp.wait()
    }
  }

  /// Refuses further elements and wakes all waiting threads. The remaining elements can still be
  /// taken.
  func close() {
    let sleepers = state.withLock { state in
      state.isClosed = true
      defer { state.sleepers = 0 }
      return state.sleepers
    }
    for _ in 0..<sleepers { wakeUp.signal() }
  }

  var count: Int { state.withLock { $0.elements.count } }
}
