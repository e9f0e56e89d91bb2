internal import DequeModule
internal import Glibc
internal import Synchronization

/// A queue between any thread and threads of our own: who puts never waits, who takes blocks.
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
      guard state.sleepers > 0 else { return (true, false) }
      state.sleepers -= 1
      return (true, true)
    }
    if wakes { wakeUp.signal() }
    return taken
  }

  /// Blocks until there is something, and takes up to `most` of it; nil when the inbox is closed
  /// and empty.
  func take(_ most: Int) -> [Element]? {
    while true {
      let (found, isClosed) = state.withLock { state -> ([Element], Bool) in
        let count = min(most, state.elements.count)
        if count > 0 {
          let found = Array(state.elements.prefix(count))
          state.elements.removeFirst(count)
          return (found, false)
        }
        if !state.isClosed { state.sleepers += 1 }
        return ([], state.isClosed)
      }
      if !found.isEmpty { return found }
      if isClosed { return nil }
      wakeUp.wait()
    }
  }

  /// Nothing is taken in any more; what is in it can still be taken.
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
