internal import AgentSupervision
internal import AgentWorkerProtocol

/// The reason why a worker under test didn't reach the next step.
enum TrialFailure: Error, CustomStringConvertible {
  /// The expected frame didn't arrive within the limit.
  case timedOut(String, Duration)
  /// The process has ended.
  case ended(ExitStatus)
  /// The process closed its socket but still runs.
  case hungUp
  /// The process broke the protocol.
  case breach(String)
  /// The process answered with an error.
  case refused(Op, WorkerError)
  /// The process couldn't be started.
  case notStarted(String)

  var description: String {
    switch self {
    case .timedOut(let what, let limit): "\(what) didn't come within \(limit)."
    case .ended(let exit): "The worker \(exit)."
    case .hungUp: "The worker closed its socket, but didn't end."
    case .breach(let what): "The worker broke the protocol: \(what)"
    case .refused(let op, let error): "\(op.name) was refused with \(error.code.name): \(error)"
    case .notStarted(let reason): "The worker can't be started: \(reason)"
    }
  }
}
