/// The events of a descriptor that a handler waits for.
public struct LoopEvents: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A read doesn't block. It may return the end of the file or an error.
  public static let readable = LoopEvents(rawValue: 1)
  /// A write doesn't block. It may return an error.
  public static let writable = LoopEvents(rawValue: 2)
}

/// The registration of a descriptor with a loop. It becomes stale when it is deregistered. A stale
/// one is ignored, even if the descriptor's number is used again.
public struct LoopRegistration: Sendable, Hashable {
  let descriptor: Int32
  let generation: UInt32
  /// Whether its events are handled before others of the same round.
  let isUrgent: Bool

  init(descriptor: Int32, generation: UInt32, isUrgent: Bool = false) {
    self.descriptor = descriptor
    self.generation = generation
    self.isUrgent = isUrgent
  }

  /// The form for epoll: the generation, one bit for urgent, and the descriptor.
  var token: UInt64 {
    UInt64(generation) << 32 | (isUrgent ? Self.urgent : 0) | UInt64(descriptor.magnitude)
  }

  init(token: UInt64) {
    descriptor = Int32(truncatingIfNeeded: token & (Self.urgent - 1))
    generation = UInt32(truncatingIfNeeded: token >> 32)
    isUrgent = Self.isUrgent(token)
  }

  static func isUrgent(_ token: UInt64) -> Bool { token & urgent != 0 }

  private static let urgent: UInt64 = 1 << 31
}
