internal import AgentText

/// The id of a trace: 16 bytes, not all of them 0.
public struct TraceID: Sendable, Hashable, CustomStringConvertible {
  let high: UInt64
  let low: UInt64

  /// Creates an id from its two halves. Returns `nil` if both are 0, which W3C reserves as invalid.
  public init?(_ high: UInt64, _ low: UInt64) {
    guard high != 0 || low != 0 else { return nil }
    (self.high, self.low) = (high, low)
  }

  init(using random: inout some RandomNumberGenerator) {
    high = random.next()
    low = UInt64.random(in: 1...(.max), using: &random)
  }

  /// The id as 32 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

/// The id of a span within its trace: 8 bytes, not all of them 0.
public struct SpanID: Sendable, Hashable, CustomStringConvertible {
  let value: UInt64

  /// Creates an id from a number. Returns `nil` for 0, which W3C reserves as invalid.
  public init?(_ value: UInt64) {
    guard value != 0 else { return nil }
    self.value = value
  }

  init(using random: inout some RandomNumberGenerator) {
    value = UInt64.random(in: 1...(.max), using: &random)
  }

  /// The id as 16 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.text(value) }
}
