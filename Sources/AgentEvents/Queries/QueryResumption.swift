public import AgentQueries

/// Where an earlier query resumes.
public struct QueryResumption: Sendable, Hashable {
  /// The progress of the earlier query. Nil means a query that begins now, with its windows full.
  public let mark: QueryMark?

  /// - Parameter mark: the mark of the last message that had one.
  public init(after mark: QueryMark?) {
    self.mark = mark
  }

  /// Parses the form on the wire: `now`, or a mark. Returns nil for any other text.
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

/// The beginning of a query: the border between past and present, and how the query resumes.
struct QueryBeginning {
  /// Events with a greater position are delivered live.
  var border: UInt64
  /// The time when the border was read, in Unix milliseconds.
  var moment: Int64
  var continuation = QueryContinuation.anew
  /// A sentence for the person who runs the query.
  var warning: String?

  /// Makes the query resume after a mark.
  mutating func resume(_ resumption: QueryResumption, of plan: QueryPlan, _ span: QuerySpan) {
    continuation = plan.continuation(after: resumption.mark, span: span, at: moment)
    switch (continuation, resumption.mark) {
    case (.rows(let after?), _):
      if after > border {
        warning =
          "The log ends before the query's position (\(after)). The query continues with new "
          + "events. Was an older database restored?"
      }
      // A mark beyond the log would skip all events up to it.
      border = min(border, after)
    case (.outputs(_, _, let silent), .moment(let wanted)) where silent != wanted:
      warning = "The clock was set back since the query last ran. The query starts afresh."
    default: break
    }
  }
}
