public import AgentJSON
public import AgentStore
internal import AgentSystem
internal import AgentText

/// The audit log: each act, its principal, its origin and its outcome. Lines are added, never
/// changed, and removed only at the beginning.
///
/// Each line carries a digest of itself and the line before. A changed, removed or inserted line
/// breaks the chain. Somebody who rewrites all lines after one is detected only by a digest that is
/// kept elsewhere.
public struct AuditLog: Sendable {
  /// The content of a new line.
  public struct Entry: Sendable {
    public var actor: Principal
    /// The origin: an address, or `unix`.
    public var address: String
    /// Whose refusals count as one client's: an address, or the network of one customer.
    public var client: String
    /// What was done, such as `process.stop`.
    public var action: String
    public var target: String
    /// How it ended, such as `done`, `refused`.
    public var outcome: String
    /// More about it; never a secret.
    public var detail: JSONObject

    /// Makes an entry.
    /// - Parameter client: nil for the address.
    public init(
      actor: Principal, address: String, client: String? = nil, action: String, target: String,
      outcome: String, detail: JSONObject = [:]
    ) {
      self.actor = actor
      self.address = address
      self.client = client ?? address
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
    /// The number of the last line that was cut off at the beginning; 0 where none was.
    public var cut: Int64 = 0
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

  /// The maximum length of the target, in bytes.
  public static let longestTarget = 200
  /// The maximum length of the actor and of the address, in bytes. The longest token name and its
  /// kind fit.
  private static let longestActor = 256
  /// The maximum length of the detail, in bytes.
  private static let longestDetail = 4 << 10

  let store: any Store
  let now: @Sendable () -> Int64

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
    store.submit(.single) { transaction in
      try transaction.audit.append(Self.line(entry, at: moment, after: transaction.audit.last()))
    } completion: {
      completion($0)
    }
  }

  /// The line that follows another. What others worded is made visible and is cut: a path of a
  /// request may have 16 KB, and hold what a terminal obeys.
  static func line(_ entry: Entry, at moment: Int64, after last: AuditRow?) -> AuditRow {
    let detail = JSONValue.object(entry.detail).bytes()
    let line = AuditRow(
      number: (last?.number ?? 0).adding(1), timestamp: moment,
      actor: VisibleText.line(entry.actor.label, atMost: longestActor),
      address: VisibleText.line(entry.address, atMost: longestActor), action: entry.action,
      target: VisibleText.line(entry.target, atMost: longestTarget), outcome: entry.outcome,
      detail: detail.count <= longestDetail
        ? detail : JSONValue.object(["omitted_bytes": JSONValue(detail.count)]).bytes(),
      hash: [])
    return line.sealed(after: last?.hash ?? [])
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
    // Lines that were cut off while this looks at the log would be missing to it.
    let (cut, first) = try await store.read { (try $0.audit.cut(), try $0.audit.first()) }
    var chain = AuditChain(after: cut)
    var report = Report(lines: 0, cut: chain.last, head: nil, broken: nil)
    var newest: [UInt8]?
    let wanted = head.flatMap { Digest.bytes($0.lowercased()) }
    var isHeadFound = head == nil || wanted != nil && cut?.hash == wanted
    if let first, first.number <= 0 {
      report.broken = .init(
        number: first.number, reason: "Line \(first.number) was inserted before the first one.")
      return report
    }
    while true {
      try Task.checkCancellation()
      let after = chain.last
      let page = try await store.read { try $0.audit.entries(after: after, limit: 1000) }
      guard !page.isEmpty else { break }
      for line in page {
        if let reason = chain.add(line) {
          // The beginning may have been cut off meanwhile: then it is begun anew.
          if try await store.read({ try $0.audit.cut() }) != cut {
            return try await verify(head: head)
          }
          report.broken = .init(number: chain.last.adding(1), reason: reason)
          report.head = newest.map(Digest.text)
          return report
        }
        report.lines = report.lines.adding(1)
        newest = line.hash
        if newest == wanted { isHeadFound = true }
      }
    }
    report.head = newest.map(Digest.text)
    if let reason = chain.faultAtEnd {
      if try await store.read({ try $0.audit.cut() }) != cut { return try await verify(head: head) }
      report.broken = .init(number: chain.last, reason: reason)
    } else if !isHeadFound {
      let beginning =
        report.cut > 0 ? "; the lines up to \(report.cut) were removed because of their age" : ""
      report.broken = .init(
        number: chain.last,
        reason: "No line has the given digest; lines were rewritten or removed\(beginning)."
      )
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
      return "Line \(number) was altered, or the one before it was replaced."
    }
    return nil
  }

  /// Over all fields, each with its length, so that nothing can move from one to the next.
  private func seal(after previous: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ field: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt64(clamping: field.count).littleEndian) { bytes += $0 }
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
