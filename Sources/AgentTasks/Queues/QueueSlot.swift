internal import Synchronization

/// A task's place among those with which it shares a limit, taken before it is stored that a bot has
/// the task: nobody else takes it meanwhile.
final class QueueSlot: Sendable {
  private struct Taken {
    let lane: String
    let moment: Int64
  }

  private let engine: TaskEngine
  private let taken = Mutex<Taken?>(nil)

  init(_ engine: TaskEngine) { self.engine = engine }

  /// - Returns: whether there was one.
  func take(_ name: String, at moment: Int64) -> Bool {
    // The store may run a transaction twice.
    end(isKept: false)
    guard engine.state.withLock({ $0.board.give(name, now: moment) }) else { return false }
    taken.withLock { $0 = Taken(lane: name, moment: moment) }
    return true
  }

  /// The write has ended, with which it was taken; on the thread that stores, before what follows from
  /// the write.
  /// - Parameter isKept: it has the place for as long as somebody has the task.
  func end(isKept: Bool) {
    guard let taken = taken.withLock({ $0.take() }) else { return }
    let moment = engine.now()
    engine.state.withLock { state in
      if isKept {
        state.board.keep(taken.lane, since: taken.moment)
      } else {
        state.board.takeBack(taken.lane, now: moment)
      }
    }
    if !isKept { engine.turn() }
  }
}
