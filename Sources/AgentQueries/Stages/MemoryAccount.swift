internal import AgentJSON

/// The memory of a query's steps in bytes, and its limit.
///
/// Rationale: it is counted with each change. A scan of all groups and panes for each row would
/// cost as much as the query itself.
final class MemoryAccount {
  private let limit: Int
  /// The approximate number of bytes.
  private(set) var bytes = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether the limit is exceeded.
  var isOverdrawn: Bool { bytes > limit }

  /// Adds a number of bytes, or removes them if it is negative.
  func add(_ count: Int) { bytes += count }
}

extension JSONValue {
  /// The approximate number of bytes that the value occupies outside itself.
  var heldBytes: Int {
    switch self {
    case .null, .bool, .number: 0
    case .string(let text): text.heldBytes
    case .array(let values):
      values.reduce(32 + values.count * MemoryLayout<JSONValue>.stride) { $0 + $1.heldBytes }
    case .object(let members): members.heldBytes
    }
  }
}

extension JSONObject {
  /// The approximate number of bytes that the object occupies outside itself.
  var heldBytes: Int {
    reduce(64) { $0 + 48 + $1.key.heldBytes + $1.value.heldBytes }
  }
}

extension String {
  /// A text of up to 15 bytes is stored in the string itself.
  fileprivate var heldBytes: Int { utf8.count > 15 ? 32 + utf8.count : 0 }
}
