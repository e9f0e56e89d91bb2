/// The host's side of one worker's connection: which frames may arrive, and what follows.
///
/// Pure: it neither sends nor waits. Feed it whole frames (`receive`), perform what it returns in
/// order. After `.breach` it takes nothing more in; end the worker.
public struct HostSession: Sendable {
  /// How far the worker has come.
  public enum State: Sendable, Equatable {
    /// Nothing has come from it yet.
    case awaitingHello
    /// It waits for LOAD: a warm spare.
    case greeted
    /// LOAD is sent.
    case loading
    /// The module is loaded and waits for CONFIGURE.
    case loaded
    /// CONFIGURE is sent; this number of answers is missing.
    case configuring(Int)
    /// Every contribution is created.
    case ready
    /// START is sent; this number of answers is missing.
    case starting(Int)
    /// At work.
    case running
    /// STOP is sent.
    case stopping
    /// STOP is answered: what follows are the last events and records.
    case ended
    /// The worker refused LOAD, CONFIGURE or START: only its end may be asked for.
    case refused
    /// The protocol was broken: nothing is taken in.
    case broken
  }

  /// The kind of a request by the host, so that its answer is understood.
  enum Pending: Equatable {
    case load, configure, start, stop, ping
    case invoke(nextPart: Int)
  }

  /// The versions of the protocol that this side speaks.
  public static let protocols = 1...1
  /// Requests of a worker's that may wait for their answers at a time.
  public static let maxOpenCalls = 4096
  /// Subscriptions that a worker may hold at a time.
  public static let maxSubscriptions = 1024

  /// How far the worker has come.
  public internal(set) var state = State.awaitingHello
  var pending: [UInt32: Pending] = [:]
  var calls: Set<UInt32> = []
  var subscriptions: [UInt32: CreditCounter] = [:]
  var publishing = CreditCounter()
  var returning: CreditReturn
  let publishWindow: Int
  /// What was configured and isn't started yet.
  var contributions: [ContributionName] = []
  var hasLoadedAhead = false
  var isConfiguredAhead = false
  private var lastID: UInt32 = 0

  /// Makes a session for a worker that was just started. `publishWindow` is how many events the
  /// worker may have on the way at a time.
  public init(publishWindow: Int = 1024) {
    self.publishWindow = publishWindow
    returning = CreditReturn(window: publishWindow)
  }

  /// Calls whose end is awaited.
  public var openCalls: [UInt32] {
    pending.compactMap { id, request in
      if case .invoke = request { id } else { nil }
    }.sorted()
  }

  /// Takes a frame in. One with a descriptor must be resolved before.
  public mutating func receive(_ frame: Frame) -> [HostAction] {
    guard state != .broken else { return [] }
    do {
      return try handle(frame)
    } catch {
      state = .broken
      return [.breach(error.description)]
    }
  }

  mutating func request(_ op: Op, body: [UInt8], kind: Pending) -> Frame {
    repeat { lastID = lastID == .max ? 1 : lastID + 1 } while pending[lastID] != nil
    pending[lastID] = kind
    return Frame(op, id: lastID, body: body)
  }

  /// Removes the request that is answered now, and returns what it was. Frees the table's memory
  /// when no request is pending.
  mutating func settle(_ id: UInt32) -> Pending? {
    let request = pending.removeValue(forKey: id)
    if pending.isEmpty { pending = [:] }
    return request
  }
}
