internal import AgentJSON

/// What the steps of a query hold, in bytes, and how much that may be.
///
/// Rationale: counted as it comes and goes, because looking through all groups and panes for each
/// row would cost as much as the query itself.
final class MemoryAccount {
  private let limit: Int
  /// About how many bytes are held.
  private(set) var bytes = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether more is held than may be.
  var isOverdrawn: Bool { bytes > limit }

  /// Counts what comes; a negative count is of what goes.
  func add(_ count: Int) { bytes += count }
}

extension JSONValue {
  /// About how many bytes the value occupies outside itself.
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
  /// About how many bytes the object occupies outside itself.
  var heldBytes: Int {
    reduce(64) { $0 + 48 + $1.key.heldBytes + $1.value.heldBytes }
  }
}

extension String {
  /// Texts of up to 15 bytes are kept in the string itself.
  fileprivate var heldBytes: Int { utf8.count > 15 ? 32 + utf8.count : 0 }
}
