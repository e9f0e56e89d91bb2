/// The events of a descriptor that a handler waits for.
public struct LoopEvents: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// From bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Reading wouldn't block; it may find the end of the file or an error.
  public static let readable = LoopEvents(rawValue: 1)
  /// Writing wouldn't block; it may find an error.
  public static let writable = LoopEvents(rawValue: 2)
}

/// A descriptor's registration with a loop. It goes stale when it is deregistered: a stale one is
/// ignored, also when the descriptor's number is in use again.
public struct LoopRegistration: Sendable, Hashable {
  let descriptor: Int32
  let generation: UInt32
  /// Whether its events are handled before others that came at the same time.
  let isUrgent: Bool

  init(descriptor: Int32, generation: UInt32, isUrgent: Bool = false) {
    self.descriptor = descriptor
    self.generation = generation
    self.isUrgent = isUrgent
  }

  /// As epoll carries it: the generation, one bit for urgent, the descriptor.
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
