/// A lossless JSON number: a 64-bit integer, a double, or the text of any other number.
///
/// Equality and order follow the values: `1`, `1.0` and `10e-1` are equal. A double represents the
/// shortest decimal with its value, so 0.1 from code equals `0.1` from a file.
public struct JSONNumber: Sendable {
  enum Storage: Sendable {
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// A valid JSON number that no other case would write unchanged.
    case text(String)
  }

  let storage: Storage

  init(storage: Storage) {
    self.storage = storage
  }

  /// Creates the exact number `value`.
  public init<T: BinaryInteger>(_ value: T) {
    if let int = Int64(exactly: value) {
      storage = .int(int)
    } else if let uint = UInt64(exactly: value) {
      storage = .uint(uint)
    } else {
      storage = .text(String(value))
    }
  }

  /// Creates the number `value`. Returns `nil` for infinities and NaN, which JSON can't express.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    storage = .double(value)
  }

  /// Reads a number by the grammar of RFC 8259. Returns `nil` if the text isn't one.
  public init?(parsing text: String) {
    guard let value = try? JSONDocument(parsing: text).root.number, value.text == text else {
      return nil
    }
    self = value
  }

  /// The value as an integer, also for `1.0` and `1e3`. `nil` if it has a fraction or doesn't fit.
  public var int: Int? { integer() }

  /// The value as an unsigned integer, also for `1.0` and `1e3`. `nil` if it has a fraction or
  /// doesn't fit.
  public var uint: UInt? { integer() }

  /// The nearest double. Infinite if the number exceeds all doubles.
  public var double: Double {
    switch storage {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .text(let text): Double(text) ?? .nan
    }
  }

  /// The number as JSON text. For a parsed number, exactly the text that was read.
  public var text: String {
    switch storage {
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): value.description
    case .text(let text): text
    }
  }

  /// Whether the number is kept as its text, of any length, because neither a 64-bit integer nor a
  /// double would have the same text.
  public var isKeptAsText: Bool {
    if case .text = storage { true } else { false }
  }

  /// Whether the value has no fraction, in any notation.
  public var isInteger: Bool {
    switch storage {
    case .int, .uint: true
    // From 2^53 on, doubles have no fractions. `rounded()` would need the C library.
    case .double(let value): value.magnitude >= 0x1p53 || Double(Int64(value)) == value
    case .text: decimal.isInteger
    }
  }

  /// Returns the value as an integer of type `T`, or `nil` if it has a fraction or doesn't fit.
  public func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    switch storage {
    case .int(let value): T(exactly: value)
    case .uint(let value): T(exactly: value)
    case .double, .text: decimal.integer()
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as JSON text.
  public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates the number `value`.
  public init(integerLiteral value: Int64) {
    storage = .int(value)
  }

  /// Creates the number `value`. A literal beyond all doubles becomes the largest one.
  public init(floatLiteral value: Double) {
    let greatest = Double.greatestFiniteMagnitude
    storage = .double(value.isFinite ? value : value < 0 ? -greatest : greatest)
  }
}
