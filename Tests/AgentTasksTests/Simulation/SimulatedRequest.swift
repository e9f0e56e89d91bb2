import AgentTasks
import Synchronization

/// Something that the simulation asks of the engine. It distinguishes what is stored for it from
/// what the engine does of itself.
final class SimulatedRequest: Sendable {
  enum Kind: Sendable {
    case create
    case execute(Int64)
    case retry(Int64)
    case retryAll
    case cancel(Int64, isForced: Bool)
    case delete(Int64)
    case edit(Int64)
    case assign(Int64, bot: String, isByHand: Bool)
    case accept(TaskLease)
    case reject(TaskLease)
    case heartbeat(TaskLease)
    case complete(TaskLease, TaskOutcome)
    case release(bot: String)
  }

  @TaskLocal static var current: SimulatedRequest?

  let kind: Kind
  private let isClaimed = Atomic(false)
  private let state = Mutex<(answer: Result<Void, any Error>?, isStored: Bool)>((nil, false))

  init(_ kind: Kind) { self.kind = kind }

  /// The request whose write is being asked for: its first, as what follows is the engine's; each of
  /// one that goes through all tasks.
  static func claim() -> SimulatedRequest? {
    guard let current else { return nil }
    let isFirst = !current.isClaimed.exchange(true, ordering: .relaxed)
    if case .retryAll = current.kind { return current }
    return isFirst ? current : nil
  }

  /// What the engine has answered; nil while it hasn't.
  var answer: Result<Void, any Error>? { state.withLock { $0.answer } }
  func end(_ answer: Result<Void, any Error>) { state.withLock { $0.answer = answer } }

  /// Whether its write is durable.
  var isStored: Bool { state.withLock { $0.isStored } }
  func stored() { state.withLock { $0.isStored = true } }
  /// What has become of it isn't known.
  func lost() { state.withLock { $0.isStored = false } }
}
