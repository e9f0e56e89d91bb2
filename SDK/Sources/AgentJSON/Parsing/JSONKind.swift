/// The six kinds of JSON value.
public enum JSONKind: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case null, bool, number, string, array, object

  /// The kind's name as JSON Schema writes it, with `boolean` for `bool`.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The kind with its article, for a sentence: `an object`.
  public var phrase: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(description)"
    case .bool, .number, .string: "a \(description)"
    }
  }
}
