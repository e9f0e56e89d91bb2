/// A line of the audit log: who did what, from where, with what result.
public struct AuditRow: Sendable, Hashable {
  /// What a line takes in the database beside its texts, in bytes: numbers, lengths, and its place.
  public static let overhead = 40

  /// Its place, from 1, without gaps.
  public let number: Int64
  /// When, in Unix milliseconds.
  public let timestamp: Int64
  /// Who.
  public let actor: String
  /// From where.
  public let address: String
  /// What was done.
  public let action: String
  /// To what.
  public let target: String
  /// How it ended.
  public let outcome: String
  /// More about it, JSON.
  public let detail: [UInt8]
  /// What makes this line and all before it tamper-evident.
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

/// Where the beginning of the audit log was cut off.
public struct AuditCut: Sendable, Hashable {
  /// The number of the last line that is gone.
  public let number: Int64
  /// That line's digest, from which the next one's was made.
  public let hash: [UInt8]

  /// Makes one.
  public init(number: Int64, hash: [UInt8]) { (self.number, self.hash) = (number, hash) }
}

/// Which lines of the audit log are meant.
public struct AuditSelection: Sendable, Hashable {
  /// Only lines before this number.
  public var before: Int64
  /// Only what this one did.
  public var actor: String?
  /// Only what was done by this name.
  public var action: String?
  /// Only what was done to this.
  public var target: String?
  /// Only what ended so.
  public var outcome: String?
  /// Only what was done at this moment or later, in Unix milliseconds.
  public var since: Int64
  /// Only what was done before this moment, in Unix milliseconds.
  public var until: Int64

  /// Makes a selection; of everything, unless it says otherwise.
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

/// Reads the audit log.
public protocol AuditReading: AnyObject {
  /// The newest line; nil while there is none.
  func last() throws(StoreError) -> AuditRow?
  /// The oldest line that is there; nil while there is none.
  func first() throws(StoreError) -> AuditRow?
  /// Where the beginning was cut off; nil where it wasn't.
  func cut() throws(StoreError) -> AuditCut?
  /// About how many bytes the lines behind a number have, up to another one. Looks at each of them.
  func bytes(after number: Int64, through last: Int64) throws(StoreError) -> Int64
  /// Lines after a number, the oldest first, at most `limit`.
  func entries(after number: Int64, limit: Int) throws(StoreError) -> [AuditRow]
  /// The lines that are meant, the newest first, at most `limit`.
  func entries(_ selection: AuditSelection, limit: Int) throws(StoreError) -> [AuditRow]
}

/// The audit log. Lines are added, and never changed: the database refuses it. They are removed from
/// its beginning alone, as far as ``cut(through:)`` has said before.
public protocol AuditStorage: AuditReading {
  /// Adds the line that follows the last one. Fails with `conflict` when its number doesn't.
  func append(_ entry: AuditRow) throws(StoreError)
  /// Says that all lines up to this one may go. Fails with `conflict` for one that is gone already.
  func cut(through cut: AuditCut) throws(StoreError)
  /// Removes lines that may go, the oldest first, at most `limit`; gives back how many it were.
  func removeCut(limit: Int) throws(StoreError) -> Int
}
