/// How far the query of a rule for alerts has come.
public struct RulePositionRow: Sendable, Hashable {
  public let rule: String
  /// What the query does: `when` opens alerts, `until` ends them.
  public let trigger: String
  /// The text of the query. Another text is another query, which begins anew.
  public let query: String
  /// Where the query resumes; nil for a query that can't.
  public var mark: String?
  /// The mark of the rows that were taken last, if more rows of it may follow after a restart.
  public var partial: String?
  /// The digests of the rows of ``partial`` that were taken, one after the other.
  public var taken: [UInt8]
  /// Grows with each write, so that a write that may have failed is recognized.
  public var revision: Int64

  /// Makes a row.
  public init(
    rule: String, trigger: String, query: String, mark: String? = nil, partial: String? = nil,
    taken: [UInt8] = [], revision: Int64 = 0
  ) {
    self.rule = rule
    self.trigger = trigger
    self.query = query
    self.mark = mark
    self.partial = partial
    self.taken = taken
    self.revision = revision
  }
}
