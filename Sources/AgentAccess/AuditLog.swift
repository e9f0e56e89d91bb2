public import AgentJSON
public import AgentStore

/// Who did what, from where, with what result: added to, never changed.
///
/// Each line carries the digest of itself and of the line before, so that a line that was changed,
/// left out or put in breaks the chain. Who rewrites all lines after one can only be found out by
/// somebody who has kept a digest elsewhere.
public struct AuditLog: Sendable {
  /// What is to be written down.
  public struct Entry: Sendable {
    /// Who.
    public var actor: Principal
    /// From where: an address, or `unix`.
    public var address: String
    /// What was done, such as `process.stop`.
    public var action: String
    /// To what.
    public var target: String
    /// How it ended, such as `done`, `refused`.
    public var outcome: String
    /// More about it; never a secret.
    public var detail: JSONObject

    /// Makes an entry.
    public init(
      actor: Principal, address: String, action: String, target: String, outcome: String,
      detail: JSONObject = [:]
    ) {
      self.actor = actor
      self.address = address
      self.action = action
      self.target = target
      self.outcome = outcome
      self.detail = detail
    }
  }

  /// What a check of the whole log has found.
  public struct Report: Sendable, Hashable {
    /// How many lines are as they were written.
    public var lines: Int64
    /// The digest of the last of them, in hexadecimal; nil of an empty log.
    public var head: String?
    /// The first line that isn't, and why.
    public var broken: Break?

    /// Where the chain breaks.
    public struct Break: Sendable, Hashable {
      /// The line's number.
      public let number: Int64
      /// A sentence.
      public let reason: String
    }
  }

  private let store: any Store
  private let now: @Sendable () -> Int64

  /// The log in a store.
  public init(_ store: any Store, now: @escaping @Sendable () -> Int64) {
    self.store = store
    self.now = now
  }

  /// Writes a line; durable when it returns.
  public func append(_ entry: Entry) async throws {
    try await withCheckedThrowingContinuation { continuation in
      submit(entry) { continuation.resume(with: $0) }
    }
  }

  /// Queues a line behind what else is to be written.
  /// - Parameter completion: called once, when the line is durable or can't be written; it must be
  ///   quick.
  func submit(
    _ entry: Entry, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let moment = now()
    let detail = JSONValue.object(entry.detail).bytes()
    store.submit(.single) { transaction in
      let last = try transaction.audit.last()
      let line = AuditRow(
        number: (last?.number ?? 0) + 1, timestamp: moment, actor: entry.actor.label,
        address: entry.address, action: entry.action, target: entry.target,
        outcome: entry.outcome, detail: detail, hash: [])
      try transaction.audit.append(line.sealed(after: last?.hash ?? []))
    } completion: {
      completion($0)
    }
  }

  /// The lines that are meant, the newest first.
  public func entries(
    _ selection: AuditSelection = AuditSelection(), limit: Int
  ) async throws -> [AuditRow] {
    try await store.read { try $0.audit.entries(selection, limit: limit) }
  }

  /// Reads the whole log and checks every line.
  /// - Parameter head: a digest that was kept elsewhere; it must be one of the lines'.
  /// - Throws: also `CancellationError`, between pages, when the task is cancelled.
  public func verify(head: String? = nil) async throws -> Report {
    var report = Report(lines: 0, head: nil, broken: nil)
    var (previous, isHeadFound) = ([UInt8](), head == nil)
    while true {
      try Task.checkCancellation()
      let after = report.lines
      let page = try await store.read { try $0.audit.entries(after: after, limit: 1000) }
      guard !page.isEmpty else { break }
      for line in page {
        if let reason = line.fault(after: previous, number: report.lines + 1) {
          report.broken = .init(number: report.lines + 1, reason: reason)
          return report
        }
        previous = line.hash
        report.lines += 1
        report.head = Digest.text(line.hash)
        if report.head == head?.lowercased() { isHeadFound = true }
      }
    }
    if !isHeadFound {
      report.broken = .init(
        number: report.lines,
        reason: "No line has the digest that was kept; lines were rewritten or cut off.")
    }
    return report
  }
}

extension AuditRow {
  /// The line with its digest.
  func sealed(after previous: [UInt8]) -> AuditRow {
    AuditRow(
      number: number, timestamp: timestamp, actor: actor, address: address, action: action,
      target: target, outcome: outcome, detail: detail, hash: seal(after: previous))
  }

  /// Why it isn't the line that was written here; nil when it is.
  func fault(after previous: [UInt8], number expected: Int64) -> String? {
    if number != expected { return "Line \(expected) is missing; line \(number) follows." }
    if hash != seal(after: previous) {
      return "Line \(number) isn't as it was written, or the one before it was replaced."
    }
    return nil
  }

  /// Over all fields, each with its length, so that nothing can move from one to the next.
  private func seal(after previous: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ field: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt64(field.count).littleEndian) { bytes += $0 }
      bytes += field
    }
    add(previous)
    for integer in [number, timestamp] {
      withUnsafeBytes(of: integer.littleEndian) { add(Array($0)) }
    }
    for text in [actor, address, action, target, outcome] { add(Array(text.utf8)) }
    add(detail)
    return Digest.of(bytes)
  }
}
