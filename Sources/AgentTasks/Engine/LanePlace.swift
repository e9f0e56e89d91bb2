internal import Synchronization

/// A task's place among those with which it shares a limit, taken before it is stored that a bot has
/// the task: nobody else takes it meanwhile.
final class LanePlace: Sendable {
  private let engine: TaskEngine
  private let lane = Mutex<String?>(nil)

  init(_ engine: TaskEngine) { self.engine = engine }

  /// - Returns: whether there was one.
  func take(_ name: String, at moment: Int64) -> Bool {
    guard engine.state.withLock({ $0.board.give(name, now: moment) }) else { return false }
    lane.withLock { $0 = name }
    return true
  }

  /// It has the place for as long as somebody has the task.
  func keep() { lane.withLock { $0 = nil } }

  /// It isn't needed.
  func giveBack() {
    guard let name = lane.withLock({ $0.take() }) else { return }
    engine.state.withLock { $0.board.takeBack(name) }
    engine.turn()
  }
}
