internal import AgentStore

/// Which lines of the audit log somebody wants to see; all that isn't given is of no matter.
public struct AuditFilter: Sendable {
  /// Only lines before this number.
  public var before: Int64?
  /// Only what this one did, such as `person:ada`.
  public var actor: String?
  /// Only what was done by this name, such as `stop_process`.
  public var action: String?
  /// Only what was done to this.
  public var target: String?
  /// Only what ended so: `done`, `forbidden`.
  public var outcome: String?
  /// Only from this moment on, in Unix milliseconds.
  public var since: Int64?
  /// Only before this moment, in Unix milliseconds.
  public var until: Int64?

  /// Everything.
  public init() {}

  var selection: AuditSelection {
    AuditSelection(
      before: before ?? .max, actor: actor, action: action, target: target, outcome: outcome,
      since: since ?? .min, until: until ?? .max)
  }
}
