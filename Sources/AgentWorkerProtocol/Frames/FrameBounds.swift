/// The largest bodies of a worker's frames, by kind. They bound the memory that a worker can
/// occupy.
///
/// A body is examined only after its size was found to be in bounds, and one at a time.
public struct FrameBounds: Sendable {
  /// The largest body of LOG and ERROR, and of kinds without a bound of their own, in bytes.
  public static let maxUsualBody = 1 << 20
  /// The largest body of frames with little content, such as CREDIT, in bytes.
  public static let maxSmallBody = 4096
  /// The largest result of a call, in bytes.
  public static let maxReply = 64 << 20
  /// The largest part of a result, in bytes.
  public static let maxPart = 16 << 20
  /// The largest PUBLISH, in bytes.
  public static let maxPublish = 16 << 20
  /// The largest event of a PUBLISH, in bytes.
  public static let maxEvent = 1 << 20
  /// The largest CALL, in bytes. It exceeds the limit of every service.
  public static let maxCall = 32 << 20
  /// The largest number of events in the queue of a subscription.
  public static let maxCapacity = 100_000

  /// The number of bytes of further calls that may arrive, beside those that wait for their
  /// answers.
  public var calls: Int
  /// The number of bytes of further events that may arrive.
  public var events: Int

  /// Creates bounds. The defaults apply to a worker without waiting calls and events.
  public init(calls: Int = maxCall, events: Int = maxPublish) {
    (self.calls, self.events) = (calls, events)
  }

  /// Returns the largest body of this kind, in bytes.
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

/// The head of a frame whose body is longer than its kind may be.
public struct ExcessiveFrame: Sendable, Equatable {
  /// The op as it was received.
  public let code: UInt8
  public let id: UInt32
  /// The size of the body in bytes.
  public let size: Int
  /// The size that was allowed, in bytes.
  public let bound: Int

  /// Creates a frame's head.
  public init(code: UInt8, id: UInt32, size: Int, bound: Int) {
    self.code = code
    self.id = id
    self.size = size
    self.bound = bound
  }

  /// The kind, or `nil` if this side doesn't know it.
  public var op: Op? { Op(rawValue: code) }

  /// The problem, as a sentence without its stop.
  var reason: String {
    "\(op?.name ?? "op \(code)") of \(size) bytes is more than the \(bound) that are taken"
  }
}
