/// A JSON number without loss: 64-bit integers exactly, doubles, and any other number as its text.
///
/// Equality and order follow the numbers' values: `1`, `1.0` and `10e-1` are equal. A double stands
/// for the shortest decimal that denotes it, so 0.1 from code equals `0.1` from a file.
public struct JSONNumber: Sendable {
  enum Storage: Sendable {
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// A valid JSON number that no other case would write back unchanged.
    case text(String)
  }

  let storage: Storage

  init(storage: Storage) {
    self.storage = storage
  }

  /// The number `value`, exactly.
  public init<T: BinaryInteger>(_ value: T) {
    if let int = Int64(exactly: value) {
      storage = .int(int)
    } else if let uint = UInt64(exactly: value) {
      storage = .uint(uint)
    } else {
      storage = .text(String(value))
    }
  }

  /// The number `value`; nil for infinities and NaN, which JSON can't write.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    storage = .double(value)
  }

  /// The number that `text` writes by the grammar of RFC 8259; nil if it isn't one.
  public init?(parsing text: String) {
    guard let value = try? JSONDocument(parsing: text).root.number, value.text == text else {
      return nil
    }
    self = value
  }

  /// The value, when it is an integer that fits: also for `1.0` and `1e3`.
  public var int: Int? { integer() }

  /// The value, when it is an integer that fits: also for `1.0` and `1e3`.
  public var uint: UInt? { integer() }

  /// The nearest double; infinite when the number is beyond all of them.
  public var double: Double {
    switch storage {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .text(let text): Double(text) ?? .nan
    }
  }

  /// The number as JSON writes it; for a parsed number exactly what was read.
  public var text: String {
    switch storage {
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): value.description
    case .text(let text): text
    }
  }

  /// Whether the number is kept as its text, which may be of any length: neither a 64-bit integer
  /// nor a double would be written the same way.
  public var isKeptAsText: Bool {
    if case .text = storage { true } else { false }
  }

  /// Whether the value has no fraction, however it is written.
  public var isInteger: Bool {
    switch storage {
    case .int, .uint: true
    // From 2^53 on doubles have no fractions; `rounded()` would need the C library.
    case .double(let value): value.magnitude >= 0x1p53 || Double(Int64(value)) == value
    case .text: decimal.isInteger
    }
  }

  /// The value as an integer of type `T`; nil when it has a fraction or doesn't fit.
  public func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    switch storage {
    case .int(let value): T(exactly: value)
    case .uint(let value): T(exactly: value)
    case .double, .text: decimal.integer()
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as JSON writes it.
  public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// The number `value`.
  public init(integerLiteral value: Int64) {
    storage = .int(value)
  }

  /// The number `value`; a literal beyond all doubles becomes the greatest of them.
  public init(floatLiteral value: Double) {
    let greatest = Double.greatestFiniteMagnitude
    storage = .double(value.isFinite ? value : value < 0 ? -greatest : greatest)
  }
}
