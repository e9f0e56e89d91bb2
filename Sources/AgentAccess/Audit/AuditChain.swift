internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// The state of a check of the audit log, line by line.
struct AuditChain {
  /// The action of the line that records a cut at the beginning.
  static let cutting = "cut_audit"

  /// The number of the last line that was as it was written.
  private(set) var last: Int64
  private var hash: [UInt8]
  private let cut: AuditCut?
  /// What the latest line about a cut says.
  private var told: AuditCut?

  /// Begins where the log begins: with its first line, or behind the lines that were cut off.
  init(after cut: AuditCut?) {
    self.cut = cut
    last = cut?.number ?? 0
    hash = cut?.hash ?? []
  }

  /// Takes the next line; gives back why it isn't the one that was written.
  mutating func add(_ line: AuditRow) -> String? {
    if let fault = line.fault(after: hash, number: last.adding(1)) { return fault }
    (last, hash) = (line.number, line.hash)
    if line.action == Self.cutting, let cut = AuditCut(line) { told = cut }
    return nil
  }

  /// Why the end isn't right: a beginning that was cut off must be what the latest line about it
  /// says, or anybody could cut it off.
  var faultAtEnd: String? {
    if told == cut { return nil }
    guard let cut else { return "A line records the removal of older lines, but they still exist." }
    return "The lines up to \(cut.number) are missing, and no line records their removal."
  }
}

extension AuditCut {
  /// What a line about a cut says; nil when it says nothing.
  init?(_ line: AuditRow) {
    guard let detail = try? JSONValue(parsing: line.detail),
      let number = detail["through"]?.int, let text = detail["digest"]?.string,
      let hash = Digest.bytes(text)
    else { return nil }
    self.init(number: Int64(number), hash: hash)
  }

  /// What the line about the cut has.
  var detail: JSONObject { ["through": JSONValue(number), "digest": .string(Digest.text(hash))] }
}
