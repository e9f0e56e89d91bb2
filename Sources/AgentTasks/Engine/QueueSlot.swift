internal import Synchronization

/// Capacity under a task's limits, taken before the write that gives the task to a bot, so that
/// nothing else takes it meanwhile.
final class QueueSlot: Sendable {
  private struct Taken {
    let queueKey: String
    let moment: Int64
  }

  private let engine: TaskEngine
  private let taken = Mutex<Taken?>(nil)

  init(_ engine: TaskEngine) { self.engine = engine }

  /// On the writer's thread.
  /// - Returns: whether there was capacity.
  func take(_ name: String, at moment: Int64) -> Bool {
    // The store may run a transaction twice: the second run must not take a second place.
    end(isKept: false)
    guard engine.state.withLock({ $0.queueLimits.give(name, now: moment) }) else { return false }
    taken.withLock { $0 = Taken(queueKey: name, moment: moment) }
    return true
  }

  /// Ends the write. Called on the writer's thread, before the changes of the write are settled.
  /// - Parameter isKept: the capacity stays taken until the task's lease ends.
  func end(isKept: Bool) {
    guard let taken = taken.withLock({ $0.take() }) else { return }
    let moment = engine.now()
    engine.state.withLock { state in
      if isKept {
        state.queueLimits.keep(taken.queueKey, since: taken.moment)
      } else {
        state.queueLimits.returnToken(taken.queueKey, now: moment)
      }
    }
    // The capacity may be for a task of the host. Outside of the lock, which the batch takes
    // itself.
    if !isKept { engine.flush() }
  }
}
