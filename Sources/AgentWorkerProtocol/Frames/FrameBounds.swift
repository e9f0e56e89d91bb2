/// How long the body of a frame from a worker may be, by its kind: what the host is ready to hold.
///
/// A body is looked at only after it was found to be in bounds, and one at a time.
public struct FrameBounds: Sendable {
  /// The longest body of LOG and ERROR, and of kinds that have no bound of their own.
  public static let maxUsualBody = 1 << 20
  /// The longest body of frames with little content, such as CREDIT.
  public static let maxSmallBody = 4096
  /// The longest result of a call.
  public static let maxReply = 64 << 20
  /// The longest piece of a result.
  public static let maxPart = 16 << 20
  /// The longest PUBLISH.
  public static let maxPublish = 16 << 20
  /// The longest event of a PUBLISH.
  public static let maxEvent = 1 << 20
  /// The longest CALL, which is more than any service accepts.
  public static let maxCall = 32 << 20
  /// How many events may wait in the queue of a subscription.
  public static let maxCapacity = 100_000

  /// How many bytes of calls may be taken in besides those that wait for their answers.
  public var calls: Int
  /// How many bytes of events may be taken in.
  public var events: Int

  /// The bounds of a worker of which nothing waits.
  public init(calls: Int = maxCall, events: Int = maxPublish) {
    (self.calls, self.events) = (calls, events)
  }

  /// The most bytes of a body of this kind.
  public func maxBody(of code: UInt8) -> Int {
    switch Op(rawValue: code) {
    case .reply: Self.maxReply
    case .part: Self.maxPart
    case .publish: min(Self.maxPublish, events)
    case .call: min(Self.maxCall, calls)
    case .hello, .ready, .unsubscribe, .credit, .heartbeat: Self.maxSmallBody
    default: Self.maxUsualBody
    }
  }
}

/// A frame of which only the head was looked at, because its body is longer than its kind may be.
public struct ExcessiveFrame: Sendable, Equatable {
  /// The op as it was received.
  public let code: UInt8
  public let id: UInt32
  /// The size of the body in bytes.
  public let size: Int
  /// The size that was allowed, in bytes.
  public let bound: Int

  /// Makes one.
  public init(code: UInt8, id: UInt32, size: Int, bound: Int) {
    self.code = code
    self.id = id
    self.size = size
    self.bound = bound
  }

  /// The kind; nil for one that this side doesn't know.
  public var op: Op? { Op(rawValue: code) }

  /// What is wrong with it.
  var reason: String {
    "\(op?.name ?? "op \(code)") of \(size) bytes is more than the \(bound) that are taken"
  }
}
