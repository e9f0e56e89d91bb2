internal import AgentStore

/// Selects lines of the audit log. A property that is nil doesn't restrict the selection.
public struct AuditFilter: Sendable {
  public var before: Int64?
  /// The actor, such as `person:ada`.
  public var actor: String?
  /// The action, such as `stop_process`.
  public var action: String?
  /// The target of the action.
  public var target: String?
  /// The outcome, such as `done` or `forbidden`.
  public var outcome: String?
  /// The first moment, in Unix milliseconds.
  public var since: Int64?
  /// The end, which isn't included, in Unix milliseconds.
  public var until: Int64?

  public init() {}

  var selection: AuditSelection {
    AuditSelection(
      before: before ?? .max, actor: actor, action: action, target: target, outcome: outcome,
      since: since ?? .min, until: until ?? .max)
  }
}
