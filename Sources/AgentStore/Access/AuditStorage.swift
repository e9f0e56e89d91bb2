/// A line of the audit log: the actor, the action, its address and its result.
public struct AuditRow: Sendable, Hashable {
  /// The bytes that a line uses in the database besides its texts: numbers, lengths and its
  /// position.
  public static let overhead = 40

  /// The line number, from 1, without gaps.
  public let number: Int64
  /// The time in Unix milliseconds.
  public let timestamp: Int64
  public let actor: String
  public let address: String
  /// The name of the action.
  public let action: String
  /// The object of the action.
  public let target: String
  /// The result as a single word.
  public let outcome: String
  /// Further details as JSON.
  public let detail: [UInt8]
  /// A digest of this line and the hash of the line before it. It reveals a change of any former
  /// line.
  public let hash: [UInt8]

  /// Creates a row.
  public init(
    number: Int64, timestamp: Int64, actor: String, address: String, action: String,
    target: String, outcome: String, detail: [UInt8], hash: [UInt8]
  ) {
    self.number = number
    self.timestamp = timestamp
    self.actor = actor
    self.address = address
    self.action = action
    self.target = target
    self.outcome = outcome
    self.detail = detail
    self.hash = hash
  }
}

/// The position at which the audit log was truncated at its beginning.
public struct AuditCut: Sendable, Hashable {
  /// The number of the last removed line.
  public let number: Int64
  /// The digest of that line, which is part of the next line's digest.
  public let hash: [UInt8]

  /// Creates a cut.
  public init(number: Int64, hash: [UInt8]) { (self.number, self.hash) = (number, hash) }
}

/// Selects lines of the audit log. A property that is `nil` doesn't restrict the selection.
public struct AuditSelection: Sendable, Hashable {
  /// Only lines before this number.
  public var before: Int64
  /// Only lines of this actor.
  public var actor: String?
  /// Only lines of this action.
  public var action: String?
  /// Only lines about this target.
  public var target: String?
  /// Only lines with this outcome.
  public var outcome: String?
  /// Only lines at or after this time, in Unix milliseconds.
  public var since: Int64
  /// Only lines before this time, in Unix milliseconds.
  public var until: Int64
  /// The largest number of lines that a page examines, whether they match or not.
  public var look = Int.max

  /// Creates a selection. Without arguments it selects all lines.
  public init(
    before: Int64 = .max, actor: String? = nil, action: String? = nil, target: String? = nil,
    outcome: String? = nil, since: Int64 = .min, until: Int64 = .max
  ) {
    self.before = before
    self.actor = actor
    self.action = action
    self.target = target
    self.outcome = outcome
    self.since = since
    self.until = until
  }
}

/// A page of selected lines.
public struct AuditPage: Sendable, Hashable {
  public var rows: [AuditRow]
  /// The ``AuditSelection/before`` of the next page; `nil` for the last page. A page may have fewer
  /// lines than its limit, or none, although another page follows.
  public var before: Int64?

  /// Creates a page.
  public init(rows: [AuditRow], before: Int64?) { (self.rows, self.before) = (rows, before) }
}

/// Reads the audit log.
public protocol AuditReader: AnyObject {
  /// Returns the newest line, or `nil` if the log is empty.
  func last() throws(StoreError) -> AuditRow?
  /// Returns the oldest stored line, or `nil` if the log is empty.
  func first() throws(StoreError) -> AuditRow?
  /// Returns the position at which the log was truncated, or `nil` if it never was.
  func cut() throws(StoreError) -> AuditCut?
  /// Returns the approximate size in bytes of the lines after `number` up to `last`. It reads each
  /// line.
  func bytes(after number: Int64, through last: Int64) throws(StoreError) -> Int64
  /// Returns at most `limit` lines after a number, the oldest first.
  func entries(after number: Int64, limit: Int) throws(StoreError) -> [AuditRow]
  /// Returns a page of at most `limit` selected lines, the newest first. Lines up to the cut aren't
  /// selected, even if they aren't removed yet.
  func page(_ selection: AuditSelection, limit: Int) throws(StoreError) -> AuditPage
}

extension AuditReader {
  /// Returns at most `limit` selected lines, the newest first.
  public func entries(_ selection: AuditSelection, limit: Int) throws(StoreError) -> [AuditRow] {
    try page(selection, limit: limit).rows
  }
}

/// Writes the audit log. Lines are added and never changed. Triggers of the database enforce this.
/// Lines are removed only from the beginning, up to the line that ``cut(through:)`` has allowed.
public protocol AuditStorage: AuditReader {
  /// Adds the next line.
  /// - Throws: `conflict` if its number doesn't follow the last one.
  func append(_ entry: AuditRow) throws(StoreError)
  /// Allows the removal of all lines up to this one.
  /// - Throws: `conflict` if the line was removed already.
  func cut(through cut: AuditCut) throws(StoreError)
  /// Removes at most `limit` lines whose removal was allowed, the oldest first.
  /// - Returns: the number of removed lines.
  func removeCut(limit: Int) throws(StoreError) -> Int
}
