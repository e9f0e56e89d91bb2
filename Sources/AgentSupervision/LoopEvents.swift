/// What can be done with a descriptor.
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

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  /// As epoll carries it.
  var token: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }

  init(token: UInt64) {
    descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: token))
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }
}
