internal import AgentJSON
internal import AgentStore
internal import AgentSystem
internal import AgentText

/// The state of a check of the audit log, line by line.
struct AuditChain {
  /// The action of the line that records a cut at the beginning.
  static let cutting = "cut_audit"

  /// The number of the last valid line.
  private(set) var last: Int64
  private var hash: [UInt8]
  private let cut: AuditCut?
  /// The cut that the latest line about a cut describes.
  private var announced: AuditCut?

  /// Begins with the first line of the log, or behind the lines that were cut off.
  init(after cut: AuditCut?) {
    self.cut = cut
    last = cut?.number ?? 0
    hash = cut?.hash ?? []
  }

  /// Checks the next line. Returns nil, or why it isn't the line that was written.
  mutating func add(_ line: AuditRow) -> String? {
    if let fault = line.fault(after: hash, number: last.adding(1)) { return fault }
    (last, hash) = (line.number, line.hash)
    if line.action == Self.cutting, let cut = AuditCut(line) { announced = cut }
    return nil
  }

  /// The fault at the end of the log, or nil. A cut at the beginning must match the latest line
  /// about it. Otherwise anybody could cut lines off.
  var faultAtEnd: String? {
    if announced == cut { return nil }
    guard let cut else { return "A line records the removal of older lines, but they still exist." }
    return "The lines up to \(cut.number) are missing, and no line records their removal."
  }
}

extension AuditCut {
  /// Reads a line about a cut. Nil means that the line doesn't describe one.
  init?(_ line: AuditRow) {
    guard let detail = try? JSONValue(parsing: line.detail),
      let number = detail["through"]?.int, let text = detail["digest"]?.string,
      let hash = Hexadecimal.bytes(text)
    else { return nil }
    self.init(number: Int64(number), hash: hash)
  }

  /// The detail of the line about the cut.
  var detail: JSONObject {
    ["through": JSONValue(number), "digest": .string(Hexadecimal.text(of: hash))]
  }
}
