public import AgentQueries

/// Where a query goes on that was run before.
public struct QueryResumption: Sendable, Hashable {
  /// How far it had come; nil for one that begins now, with its windows full.
  public let mark: QueryMark?

  /// - Parameter mark: the mark that the last message with one had.
  public init(after mark: QueryMark?) {
    self.mark = mark
  }

  /// Reads what is written on the wire: `now`, or a mark.
  public init?(parsing text: String) {
    if text == "now" {
      mark = nil
    } else if let mark = QueryMark(parsing: text) {
      self.mark = mark
    } else {
      return nil
    }
  }
}

/// What a query begins with: where the present begins, and how it goes on.
struct QueryBeginning {
  /// What has a greater position is delivered live.
  var border: UInt64
  /// The clock's time when the border was looked at.
  var moment: Int64
  var continuation = QueryContinuation.anew
  /// What people should know of it.
  var warning: String?

  /// Goes on behind a mark.
  mutating func resume(_ resumption: QueryResumption, of plan: QueryPlan, _ span: QuerySpan) {
    continuation = plan.continuation(after: resumption.mark, span: span, at: moment)
    switch (continuation, resumption.mark) {
    case (.rows(let after?), _):
      if after > border {
        warning =
          "The log ends before the query's position (\(after)). The query continues with new "
          + "events. Was an older database restored?"
      }
      border = min(border, after)
    case (.outputs(_, _, let silent), .moment(let wanted)) where silent != wanted:
      warning = "The clock was set back since the query last ran. The query starts afresh."
    default: break
    }
  }
}
