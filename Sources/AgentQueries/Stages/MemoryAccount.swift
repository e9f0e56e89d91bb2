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
    case .null, .bool, .number: return 0
    case .string(let text): return text.heldBytes
    case .array(let values):
      var bytes = 32 + values.count * MemoryLayout<JSONValue>.stride
      for value in values where bytes < Self.maxHeld { bytes += value.heldBytes }
      return bytes
    case .object(let members): return members.heldBytes
    }
  }

  /// The bytes at which a count ends. A value that holds itself many times has more parts than can
  /// be counted, and no query may keep that much.
  fileprivate static let maxHeld = 1 << 28
}

extension JSONObject {
  /// The approximate number of bytes that the object occupies outside itself.
  var heldBytes: Int {
    var bytes = 64
    for (key, value) in self where bytes < JSONValue.maxHeld {
      bytes += 48 + key.heldBytes + value.heldBytes
    }
    return bytes
  }
}

extension String {
  /// A text of up to 15 bytes is stored in the string itself.
  fileprivate var heldBytes: Int { utf8.count > 15 ? 32 + utf8.count : 0 }
}
