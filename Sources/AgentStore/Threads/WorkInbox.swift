internal import DequeModule
internal import Glibc
internal import Synchronization

/// A queue from any thread to threads of our own. `put` never waits; `take` blocks its thread.
final class WorkInbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: Deque<Element> = []
    var sleepers = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wakeUp = Semaphore()

  /// - Returns: false when the inbox is closed and the element was not taken.
  func put(_ element: Element) -> Bool {
    let (taken, wakes) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      state.elements.append(element)
      // Nobody sleeps: a signal would cost a system call, and wake somebody for nothing later.
      guard state.sleepers > 0 else { return (true, false) }
      // The caller that signals counts the sleeper out, so that each is woken once.
      state.sleepers -= 1
      return (true, true)
    }
    // Outside of the lock, or the thread that wakes would run into it at once.
    if wakes { wakeUp.signal() }
    return taken
  }

  /// Blocks until there is something, and takes up to `most` elements.
  /// - Returns: nil when the inbox is closed and empty.
  func take(_ most: Int) -> [Element]? {
    while true {
      let (found, isClosed) = state.withLock { state -> ([Element], Bool) in
        let count = min(most, state.elements.count)
        if count > 0 {
          let found = Array(state.elements.prefix(count))
          state.elements.removeFirst(count)
          return (found, false)
        }
        // Counted under the lock and before the wait: a `put` in between signals, and the semaphore
        // keeps the signal.
        if !state.isClosed { state.sleepers += 1 }
        return ([], state.isClosed)
      }
      if !found.isEmpty { return found }
      if isClosed { return nil }
      wakeUp.wait()
    }
  }

  /// Refuses new elements from now on, and wakes all that wait. What is in it can still be taken.
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
