/// A JSON value in memory, without places.
///
/// Equality is that of JSON: numbers by value (`1` equals `1.0`), strings by code points, objects
/// without regard to order.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as written.
  case number(JSONNumber)
  /// A string, unescaped.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)

  /// Reads JSON text, with the default limits.
  public init(parsing text: String) throws(JSONParseError) {
    self = try JSONDocument(parsing: text).root.value
  }

  /// Reads UTF-8 JSON text, with the default limits.
  public init(parsing bytes: [UInt8]) throws(JSONParseError) {
    self = try JSONDocument(parsing: bytes).root.value
  }

  /// Creates an integer.
  public init(_ value: some BinaryInteger) {
    self = .number(JSONNumber(value))
  }

  /// Creates a number. Infinities and NaN, which JSON can't express, become null, as in JavaScript.
  public init(_ value: Double) {
    self = JSONNumber(value).map { .number($0) } ?? .null
  }

  /// Returns the value as JSON text in UTF-8.
  public func bytes(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.value(self)
    return writer.bytes
  }

  /// Returns the value as JSON text, on one line or, if `pretty`, with two spaces for each level.
  public func text(pretty: Bool = false) -> String {
    String(decoding: bytes(pretty: pretty), as: UTF8.self)
  }
}

extension JSONValue: Hashable {
  /// Returns whether both are the same JSON value.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds equal values for equal JSON values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { text() }
}

// There is no conformance for the nil literal: `object[key] = condition ? nil : value` would then
// store null and not remove the member.
extension JSONValue: ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// An integer.
  public init(integerLiteral value: Int64) {
    self = .number(JSONNumber(integerLiteral: value))
  }

  /// A number.
  public init(floatLiteral value: Double) {
    self = .number(JSONNumber(floatLiteral: value))
  }

  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// Creates an object. If a key occurs twice, the later member counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
