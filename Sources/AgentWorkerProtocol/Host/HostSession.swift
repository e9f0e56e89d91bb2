/// The host's side of the connection to one worker: the frames that may arrive, and the resulting
/// actions.
///
/// It is pure: it neither sends nor waits. The caller passes whole frames to
/// ``receive(_:)-(Frame)`` and performs the returned actions in order. After `.breach`, the session
/// ignores all frames, and the caller ends the worker.
public struct HostSession: Sendable {
  /// The states of a worker.
  public enum State: Sendable, Equatable {
    /// No frame has arrived.
    case awaitingHello
    /// HELLO has arrived. A warm spare waits in this state.
    case greeted
    /// LOAD was sent.
    case loading
    /// The module is loaded. CONFIGURE wasn't sent.
    case loaded
    /// CONFIGURE was sent. This number of answers is missing.
    case configuring(Int)
    /// Every contribution is created.
    case ready
    /// START was sent. This number of answers is missing.
    case starting(Int)
    /// Every contribution is started.
    case running
    /// STOP was sent.
    case stopping
    /// STOP was answered. Only the last events and records follow.
    case ended
    /// The worker refused LOAD, CONFIGURE or START. Only STOP may follow.
    case refused
    /// The worker broke the protocol. Its frames are ignored.
    case broken
  }

  /// The kind of a request by the host, which determines the meaning of its answer.
  enum Pending: Equatable {
    case load, configure, start, stop, ping
    case invoke(nextPart: Int)
  }

  /// The supported versions of the protocol.
  public static let protocols = 1...1
  /// The largest number of a worker's requests that wait for their answers.
  public static let maxOpenCalls = 4096
  /// The largest number of a worker's subscriptions.
  public static let maxSubscriptions = 1024

  /// The state of the worker.
  public internal(set) var state = State.awaitingHello
  var pending: [UInt32: Pending] = [:]
  var calls: Set<UInt32> = []
  var subscriptions: [UInt32: CreditCounter] = [:]
  var publishing = CreditCounter()
  var returning: CreditReturn
  let publishWindow: Int
  /// The contributions that are configured but not started.
  var contributions: [ContributionName] = []
  var hasLoadedAhead = false
  var isConfiguredAhead = false
  private var lastID: UInt32 = 0

  /// Creates a session for a worker that was just started.
  /// - Parameter publishWindow: the number of events that the worker may have on the way.
  public init(publishWindow: Int = 1024) {
    self.publishWindow = publishWindow
    returning = CreditReturn(window: publishWindow)
  }

  /// The ids of the calls that haven't ended.
  public var openCalls: [UInt32] {
    pending.compactMap { id, request in
      if case .invoke = request { id } else { nil }
    }.sorted()
  }

  /// Processes a frame. The caller must have replaced a descriptor by its contents.
  public mutating func receive(_ frame: Frame) -> [HostAction] {
    guard state != .broken else { return [] }
    return receive(ParsedFrame(frame, publishCredit: publishCredit))
  }

  /// Processes a frame that was parsed before. No frame of the worker may have come in between.
  public mutating func receive(_ frame: ParsedFrame) -> [HostAction] {
    guard state != .broken else { return [] }
    do {
      return try handle(frame)
    } catch {
      state = .broken
      return [.breach(error.description)]
    }
  }

  mutating func request(_ op: Op, body: [UInt8], kind: Pending) -> Frame {
    // 0 is left out, because it is the id of frames outside any request. After an overflow, a
    // number may still be pending.
    repeat { lastID = lastID == .max ? 1 : lastID + 1 } while pending[lastID] != nil
    pending[lastID] = kind
    return Frame(op, id: lastID, body: body)
  }

  /// Removes the request that is answered now and returns its kind. Frees the table's memory when
  /// no request is pending.
  mutating func settle(_ id: UInt32) -> Pending? {
    let request = pending.removeValue(forKey: id)
    if pending.isEmpty { pending = [:] }
    return request
  }
}
