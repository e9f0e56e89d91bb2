import AgentJSON
import AgentText

/// A set of JSON Schema's types. Numbers have three: integers without fraction and exponent (`5`),
/// integers in another notation (`5.0`, `5e0`), and fractions. Draft 4's `integer` is only the
/// first.
struct TypeSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let plainInteger = TypeSet(rawValue: 4)
  static let fraction = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)
  static let otherInteger = TypeSet(rawValue: 128)
  static let integer: TypeSet = [.plainInteger, .otherInteger]
  static let number: TypeSet = [.integer, .fraction]
  static let all = TypeSet(rawValue: 255)

  /// Creates the set for the name of a type in a schema. `integer` is the set for that name, which
  /// depends on the draft.
  init?(named name: String, integer: TypeSet) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = integer
    case "number": self = .number
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Creates the set with the type of a value.
  init(of node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .bool: self = .boolean
    case .number:
      let isPlain = node.bytes.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
      self = isPlain ? .plainInteger : node.number?.isInteger == true ? .otherInteger : .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }

  /// Creates the set with the type of a value.
  init(of value: JSONValue) {
    self.init(of: JSONDocument(value).root)
  }

  /// Creates the set with the types of all values that equal this one: `5.0` equals `5`.
  init(ofAllEqualTo value: JSONValue) {
    let own = TypeSet(of: value)
    self = own.isDisjoint(with: .integer) ? own : .integer
  }

  /// The kinds of values that match.
  var kinds: Set<JSONKind> {
    var kinds: Set<JSONKind> = []
    if contains(.null) { kinds.insert(.null) }
    if contains(.boolean) { kinds.insert(.bool) }
    if !isDisjoint(with: .number) { kinds.insert(.number) }
    if contains(.string) { kinds.insert(.string) }
    if contains(.array) { kinds.insert(.array) }
    if contains(.object) { kinds.insert(.object) }
    return kinds
  }

  /// Each type as a phrase: `an integer`.
  var phrases: [String] {
    var phrases: [String] = []
    if contains(.string) { phrases.append("a string") }
    if contains(.fraction) {
      phrases.append("a number")
    } else if contains(.plainInteger) {
      phrases.append("an integer")
    }
    if contains(.boolean) { phrases.append("true or false") }
    if contains(.array) { phrases.append("an array") }
    if contains(.object) { phrases.append("an object") }
    if contains(.null) { phrases.append("null") }
    return phrases
  }
}
