public import AgentJSON
public import AgentStore
internal import AgentSystem
internal import AgentText

/// The audit log: each act, its principal, its origin and its outcome. Lines are added, never
/// changed, and removed only at the beginning.
///
/// Each line has a digest of itself and of the line before. A changed, removed or inserted line
/// breaks the chain. If all lines after one are rewritten, only a digest that is kept elsewhere
/// detects it.
public struct AuditLog: Sendable {
  /// The content of a new line.
  public struct Entry: Sendable {
    public var actor: Principal
    /// The origin: an address, or `unix`.
    public var address: String
    /// The client that refusals are counted by: an address, or the network of one customer.
    public var client: String
    /// The act, such as `process.stop`.
    public var action: String
    public var target: String
    /// The outcome, such as `done` or `refused`.
    public var outcome: String
    /// Further data. It never holds a secret.
    public var detail: JSONObject

    /// Makes an entry.
    /// - Parameter client: nil means the address.
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

  /// The result of a check of the whole log.
  public struct Report: Sendable, Hashable {
    /// The number of valid lines.
    public var lines: Int64
    /// The number of the last line that was cut off at the beginning, or 0.
    public var cut: Int64 = 0
    /// The digest of the last valid line, in hexadecimal. Nil means that there is no line.
    public var head: String?
    /// The first invalid line. Nil means that all lines are valid.
    public var broken: Break?

    /// A place where the chain is broken.
    public struct Break: Sendable, Hashable {
      public let number: Int64
      /// The reason as a sentence.
      public let reason: String
    }
  }

  /// The maximum length of the target, in bytes.
  public static let longestTarget = 200
  /// The maximum length of the actor and of the address, in bytes. It is enough for the longest
  /// token name and its kind.
  private static let longestActor = 256
  /// The maximum length of the detail, in bytes.
  private static let longestDetail = 4 << 10

  let store: any Store
  let now: @Sendable () -> Int64
  /// The counted size of the lines, from one ``trim(_:trustsClock:)`` to the next.
  let size = AuditSize()

  /// Makes the log of a store.
  public init(_ store: any Store, now: @escaping @Sendable () -> Int64) {
    self.store = store
    self.now = now
  }

  /// Writes a line. Returns when it is durable.
  public func append(_ entry: Entry) async throws {
    try await withCheckedThrowingContinuation { continuation in
      submit(entry) { continuation.resume(with: $0) }
    }
  }

  /// Adds a line to the queue of writes.
  /// - Parameter completion: called once, when the line is durable or can't be written. It must
  ///   return quickly.
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

  /// Returns the line after `last`. Texts of clients are cut, and their control characters are made
  /// visible. The path of a request may have 16 KB and may hold terminal commands.
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

  /// Returns the selected lines, the newest first.
  public func entries(
    _ selection: AuditSelection = AuditSelection(), limit: Int
  ) async throws -> [AuditRow] {
    try await page(selection, limit: limit).rows
  }

  /// Returns a page of the selected lines, the newest first.
  func page(_ selection: AuditSelection, limit: Int) async throws -> AuditPage {
    try await store.read { try $0.audit.page(selection, limit: limit) }
  }

  /// Reads the whole log and checks every line.
  /// - Parameter head: A digest that was kept elsewhere. One of the lines must have it.
  /// - Throws: also `CancellationError`, between pages, if the task is cancelled.
  public func verify(head: String? = nil) async throws -> Report {
    let beginning = try await store.read { try AuditBeginning($0.audit) }
    let cut = beginning.cut
    var chain = AuditChain(after: cut)
    var report = Report(lines: 0, cut: chain.last, head: nil, broken: nil)
    var newest: [UInt8]?
    let wanted = head.flatMap { Hexadecimal.bytes($0.lowercased()) }
    var isHeadFound = head == nil || wanted != nil && cut?.hash == wanted
    if let fault = beginning.fault {
      report.broken = fault
      return report
    }
    while true {
      try Task.checkCancellation()
      let after = chain.last
      let page = try await store.read { try $0.audit.entries(after: after, limit: 1000) }
      guard !page.isEmpty else { break }
      for line in page {
        if let reason = chain.add(line) {
          // A cut may have removed these lines during the check. Then the check begins again.
          if try await store.read({ try $0.audit.cut() }) != cut {
            return try await verify(head: head)
          }
          report.broken = .init(number: chain.last.adding(1), reason: reason)
          report.head = newest.map(Hexadecimal.text(of:))
          return report
        }
        report.lines = report.lines.adding(1)
        newest = line.hash
        if newest == wanted { isHeadFound = true }
      }
    }
    report.head = newest.map(Hexadecimal.text(of:))
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
  /// Returns the line with its digest.
  func sealed(after previous: [UInt8]) -> AuditRow {
    AuditRow(
      number: number, timestamp: timestamp, actor: actor, address: address, action: action,
      target: target, outcome: outcome, detail: detail, hash: seal(after: previous))
  }

  /// Returns nil, or why this isn't the line that was written.
  func fault(after previous: [UInt8], number expected: Int64) -> String? {
    if number != expected { return "Line \(expected) is missing; line \(number) follows." }
    if hash != seal(after: previous) {
      return "Line \(number) was altered, or the one before it was replaced."
    }
    return nil
  }

  /// Returns the digest over all fields. Each has its length in front, so that no byte can move
  /// from one field to the next.
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
