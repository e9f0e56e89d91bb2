public import CAgentModule

/// How a call or a contribution ended: `agent_status`.
public enum ModuleStatus: Int32, Sendable {
  case ok = 0
  case invalidArgument = 1
  case invalidSettings = 2
  case failed = 3
  case cancelled = 4
  case unsupported = 5
  case deadlineExceeded = 6
  case overloaded = 7
  case closed = 8
  case conflict = 9

  /// The status that a module gave; one that doesn't exist counts as `failed`.
  public init(module status: agent_status) {
    self = ModuleStatus(rawValue: status) ?? .failed
  }
}
