internal import AgentJSON

/// Takes the number of bytes that the steps of a query hold, each time that it has changed much. It
/// returns a sentence if the query must end, because others need the memory. Nil means that it may
/// go on. It is called during the calls of the query, and must be quick.
public typealias QueryMemoryReport = @Sendable (Int) -> String?

/// The memory of a query's steps in bytes, and its limit.
///
/// Rationale: it is counted with each change. A scan of all groups and panes for each row would
/// cost as much as the query itself.
final class MemoryAccount {
  /// The change in bytes that is reported.
  private static let reportStep = 64 << 10

  private let limit: Int
  private let report: QueryMemoryReport
  /// The approximate number of bytes.
  private(set) var bytes = 0
  private var reported = 0
  private var reason: String?

  init(limit: Int, report: @escaping QueryMemoryReport) {
    self.limit = limit
    self.report = report
  }

  /// Whether a limit is exceeded: the query's own, or one that it shares with others.
  var isOverdrawn: Bool { bytes > limit || reason != nil }

  /// Why the query may hold no more, although it is within its own limit.
  var refusal: String? { bytes > limit ? nil : reason }

  /// Adds a number of bytes, or removes them if it is negative.
  func add(_ count: Int) {
    bytes += count
    guard (bytes - reported).magnitude >= Self.reportStep.magnitude else { return }
    reported = bytes
    // A refusal stays, because the others have got the space meanwhile.
    if let reason = report(bytes) { self.reason = reason }
  }
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
