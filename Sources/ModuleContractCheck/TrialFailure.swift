internal import AgentSupervision
internal import AgentWorkerProtocol

/// Why a worker under test could not be brought to the next step.
enum TrialFailure: Error, CustomStringConvertible {
  /// What was waited for didn't come.
  case timedOut(String, Duration)
  /// The process is gone.
  case ended(ExitStatus)
  /// It closed its socket and lives on.
  case hungUp
  /// It broke the protocol.
  case breach(String)
  /// It answered with an error.
  case refused(Op, WorkerError)
  /// It could not be started at all.
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
