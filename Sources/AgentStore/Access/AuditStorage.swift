/// A line of the audit log: who did what, from where, with what result.
public struct AuditRow: Sendable, Hashable {
  /// How many bytes a line takes in the database beside its texts: numbers, lengths, and its place.
  public static let overhead = 40

  /// Its place, from 1, without gaps.
  public let number: Int64
  /// In Unix milliseconds.
  public let timestamp: Int64
  public let actor: String
  public let address: String
  /// The action's name.
  public let action: String
  /// The object of the action.
  public let target: String
  /// The result, in a word.
  public let outcome: String
  /// Further details as JSON.
  public let detail: [UInt8]
  /// A digest of this line and the hash before it, by which a change of any former line shows.
  public let hash: [UInt8]

  /// Makes a row.
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

/// The place where the beginning of the audit log was cut off.
public struct AuditCut: Sendable, Hashable {
  /// The number of the last line that is gone.
  public let number: Int64
  /// That line's digest, from which the next one's was made.
  public let hash: [UInt8]

  /// Makes one.
  public init(number: Int64, hash: [UInt8]) { (self.number, self.hash) = (number, hash) }
}

/// Selects lines of the audit log. A property that is nil leaves nothing out.
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
  /// Only lines from this moment on, in Unix milliseconds.
  public var since: Int64
  /// Only lines before this moment, in Unix milliseconds.
  public var until: Int64
  /// The most lines that a page looks at, selected or not.
  public var look = Int.max

  /// Makes a selection; without arguments, of everything.
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

/// A page of the lines of a selection.
public struct AuditPage: Sendable, Hashable {
  public var rows: [AuditRow]
  /// The ``AuditSelection/before`` of the next page; nil for the last page. A page may have fewer
  /// lines than its limit, or none, and yet be followed by another one.
  public var before: Int64?

  /// Makes a page.
  public init(rows: [AuditRow], before: Int64?) { (self.rows, self.before) = (rows, before) }
}

/// Reads the audit log.
public protocol AuditReader: AnyObject {
  /// The newest line; nil while there is none.
  func last() throws(StoreError) -> AuditRow?
  /// The oldest line that is there; nil while there is none.
  func first() throws(StoreError) -> AuditRow?
  /// Where the beginning was cut off; nil where it wasn't.
  func cut() throws(StoreError) -> AuditCut?
  /// About how many bytes the lines after a number have, up to another one. Reads each of them.
  func bytes(after number: Int64, through last: Int64) throws(StoreError) -> Int64
  /// Lines after a number, the oldest first, at most `limit`.
  func entries(after number: Int64, limit: Int) throws(StoreError) -> [AuditRow]
  /// A page of the lines of a selection, the newest first, at most `limit`.
  func page(_ selection: AuditSelection, limit: Int) throws(StoreError) -> AuditPage
}

extension AuditReader {
  /// The lines of a selection, the newest first, at most `limit`.
  public func entries(_ selection: AuditSelection, limit: Int) throws(StoreError) -> [AuditRow] {
    try page(selection, limit: limit).rows
  }
}

/// Writes the audit log. Lines are added and never changed; triggers of the database refuse it.
/// They are removed from its beginning alone, as far as ``cut(through:)`` has allowed before.
public protocol AuditStorage: AuditReader {
  /// Adds the line that follows the last one. Fails with `conflict` when its number doesn't.
  func append(_ entry: AuditRow) throws(StoreError)
  /// Allows that all lines up to this one are removed. Fails with `conflict` for a line that was
  /// cut off already.
  func cut(through cut: AuditCut) throws(StoreError)
  /// Removes lines that were cut off, the oldest first, at most `limit`.
  /// - Returns: how many were removed.
  func removeCut(limit: Int) throws(StoreError) -> Int
}
