/// The position of an alert rule's query.
public struct RulePositionRow: Sendable, Hashable {
  public let rule: String
  /// The use of the query: `when` opens alerts, `until` resolves them.
  public let trigger: String
  /// The text of the query. A query with another text starts from the beginning.
  public let query: String
  /// The mark at which the query resumes; `nil` if it can't resume.
  public var mark: String?
  /// The mark of the last processed rows, if further rows with this mark may follow after a
  /// restart.
  public var partial: String?
  /// The digests of the processed rows of ``partial``, concatenated.
  public var taken: [UInt8]
  /// The number of writes of this row. It shows whether a write with an unknown result was stored.
  public var revision: Int64

  /// Creates a row.
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
