/// A caller that waits until a child reaches a state, or until a deadline.
///
/// It belongs to the supervisor's actor.
final class StatusWaiter {
  /// The awaited state.
  enum Goal {
    /// Nothing is pending any more.
    case settled
    /// No process runs, and none is wanted.
    case stopped
  }

  typealias Answer = Result<ChildStatus, SupervisionError>

  /// Unique in the supervisor.
  let number: UInt64
  private let goal: Goal
  private var continuation: CheckedContinuation<Answer, Never>?
  /// Due at the deadline.
  var timer: LoopTimer?

  init(number: UInt64, _ goal: Goal, _ continuation: CheckedContinuation<Answer, Never>) {
    self.number = number
    self.goal = goal
    self.continuation = continuation
  }

  /// Whether the caller has its answer.
  var isDone: Bool { continuation == nil }

  /// Checks the child's new status. Answers if the goal is reached or can't be reached any more.
  func receive(_ status: ChildStatus, isHeadedForStop: Bool, on loop: EventLoop) {
    switch goal {
    case .settled where status.state.isSettled: answer(.success(status), on: loop)
    case .stopped where status.state == .stopped: answer(.success(status), on: loop)
    case .stopped where !isHeadedForStop:
      let message = "\(status.name) was restarted before it had stopped."
      answer(.failure(SupervisionError(.overtaken, message)), on: loop)
    case .settled, .stopped: break
    }
  }

  /// Answers at the deadline: with the present status, or with the error that the child doesn't
  /// end.
  func giveUp(_ status: ChildStatus, on loop: EventLoop) {
    switch goal {
    case .settled: answer(.success(status), on: loop)
    case .stopped:
      let process = status.pid.map { "process \($0)" } ?? "process"
      let message =
        "The \(process) of \(status.name) was killed, but the kernel can't end it yet. "
        + "The resource that it waits for, such as a disk or a network file system, must become "
        + "available."
      answer(.failure(SupervisionError(.deadlinePassed, message)), on: loop)
    }
  }

  private func answer(_ answer: Answer, on loop: EventLoop) {
    timer.map(loop.cancel)
    timer = nil
    continuation?.resume(returning: answer)
    continuation = nil
  }
}
