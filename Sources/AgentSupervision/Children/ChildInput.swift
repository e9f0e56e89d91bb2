/// An input of a ``ChildMachine``.
public enum ChildInput: Sendable, Equatable {
  /// The child shall run.
  case startRequested
  /// The child shall stop. A deadline replaces the child's own.
  case stopRequested(deadline: Duration?)
  /// The child shall stop and start again at once. This doesn't count as a failure.
  case restartRequested
  /// The child shall run, and its earlier failures are forgotten.
  case retryRequested
  /// Its process was started.
  case spawned
  /// Its process couldn't be started.
  case spawnFailed(reason: String, isPermanent: Bool)
  /// Its channel has reported something.
  case reported(WorkerReport)
  /// Its process has ended.
  case exited(ExitStatus)
  /// One of its timers is due.
  case timer(ChildTimer)
  /// A sample exceeds one of its limits.
  case limitExceeded(message: String)
}

/// The timers of a child. At most one of each kind runs.
public enum ChildTimer: Int, Sendable, CaseIterable {
  /// The child should be ready by now.
  case ready
  /// The pause before a start has ended.
  case backOff
  /// The next step of a stop is due.
  case stop
  /// The next ping is due.
  case ping
  /// The child should have answered the ping by now.
  case answer
  /// The child should have exited by now, because it has closed its socket.
  case hangUp
}

/// An action that a ``ChildMachine`` requests. The caller carries out actions in the given order.
public enum ChildAction: Sendable, Equatable {
  /// Start a process. The next input is `spawned` or `spawnFailed`.
  case spawn
  /// Send the child START.
  case startWork
  /// Send the child STOP with this deadline.
  case askToStop(deadline: Duration)
  /// Send a signal to the process and its group.
  case signal(Int32)
  /// Send the child a ping.
  case ping
  /// Set a timer. It replaces one of the same kind.
  case schedule(ChildTimer, after: Duration)
  /// Cancel a timer.
  case cancel(ChildTimer)
  /// Cancel all timers.
  case cancelTimers
  /// Emit this event.
  case report(SupervisionEvent.Kind)
}
