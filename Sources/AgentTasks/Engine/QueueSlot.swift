internal import Synchronization

/// Capacity within a task's limits. It is reserved before the write that assigns the task to a bot,
/// so that no other task takes it in the meantime.
final class QueueSlot: Sendable {
  private struct Taken {
    let queueKey: String
    let moment: Int64
  }

  private let engine: TaskEngine
  private let taken = Mutex<Taken?>(nil)

  init(_ engine: TaskEngine) { self.engine = engine }

  /// Reserves the capacity. Called on the writer's thread.
  /// - Returns: whether capacity was available.
  func take(_ name: String, at moment: Int64) -> Bool {
    // The store may run a transaction twice. The second run must not reserve a second unit.
    end(isKept: false)
    guard engine.state.withLock({ $0.queueLimits.give(name, now: moment) }) else { return false }
    taken.withLock { $0 = Taken(queueKey: name, moment: moment) }
    return true
  }

  /// Ends the write. Called on the writer's thread, before the changes of the write are applied in
  /// memory.
  /// - Parameter isKept: whether the capacity stays in use until the task's lease ends.
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
    // The capacity may be used by a task of the host. Called outside the lock, because `flush`
    // takes the same lock.
    if !isKept { engine.flush() }
  }
}
