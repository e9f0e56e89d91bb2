internal import AgentJSON
internal import AgentText

/// A hash of JSON values that is the same in each run, unlike Swift's own. A sketch over the same
/// events therefore gives the same estimate.
///
/// Equal values have equal hashes (`1` and `1.0`, objects in any order).
enum StableHash {
  static func of(_ value: JSONValue) -> UInt64 {
    switch value {
    case .null: mixed(1)
    case .bool(let value): mixed(value ? 3 : 2)
    case .number(let number): of(ExactNumber(number))
    case .string(let text): of(text)
    case .array(let values):
      values.reduce(mixed(4)) { mixed($0 &+ of($1)) }
    case .object(let members):
      // A sum doesn't depend on the order of the members.
      mixed(members.reduce(5) { $0 &+ mixed(of($1.key) ^ mixed(of($1.value))) })
    }
  }

  private static func of(_ number: ExactNumber) -> UInt64 {
    switch number {
    case .integer(let value): mixed(UInt64(bitPattern: value) ^ 0x6e75_6d62_6572)
    case .double(let value): mixed(value.bitPattern ^ 0x7265_616c)
    }
  }

  private static func of(_ text: String) -> UInt64 {
    mixed(FNV1a.hash(of: text.utf8, after: 0x9e37_79b9_7f4a_7c15))
  }

  private static func mixed(_ value: UInt64) -> UInt64 { SplitMix64.number(1, seed: value) }
}
