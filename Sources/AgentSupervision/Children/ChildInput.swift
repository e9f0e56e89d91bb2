/// An input of a ``ChildMachine``.
public enum ChildInput: Sendable, Equatable {
  /// Run.
  case startRequested
  /// Stop; with a deadline other than the child's own when given.
  case stopRequested(deadline: Duration?)
  /// Stop, then start at once; doesn't count as a failure.
  case restartRequested
  /// Forget earlier failures, then run.
  case retryRequested
  /// The process exists.
  case spawned
  /// There is no process.
  case spawnFailed(reason: String, isPermanent: Bool)
  /// The channel reported something.
  case reported(WorkerReport)
  /// The process ended.
  case exited(ExitStatus)
  /// A timer is due.
  case timer(ChildTimer)
  /// A sampled limit was exceeded.
  case limitExceeded(message: String)
}

/// The timers of a child; at most one of each kind runs.
public enum ChildTimer: Int, Sendable, CaseIterable {
  /// READY is overdue.
  case ready
  /// The pause before a start is over.
  case backOff
  /// The next step of a stop is due.
  case stop
  /// The next ping is due.
  case ping
  /// The answer to a ping is overdue.
  case answer
  /// The exit after a closed socket is overdue.
  case hangUp
}

/// An action that a ``ChildMachine`` requests. Actions are carried out in the order given.
public enum ChildAction: Sendable, Equatable {
  /// Start a process; answer with `spawned` or `spawnFailed`.
  case spawn
  /// Tell the child to start its work.
  case startWork
  /// Tell the child to stop within this time.
  case askToStop(deadline: Duration)
  /// Send a signal to the process group.
  case signal(Int32)
  /// Ask for a sign of life.
  case ping
  /// Set a timer, in place of one of the same kind.
  case schedule(ChildTimer, after: Duration)
  /// Take a timer back.
  case cancel(ChildTimer)
  /// Take all timers back.
  case cancelTimers
  /// Emit this event.
  case report(SupervisionEvent.Kind)
}
