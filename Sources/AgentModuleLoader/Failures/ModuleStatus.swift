public import CAgentModule

/// The status of a finished call or contribution: `agent_status`.
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

  /// Converts a status from a module. An unknown value counts as `failed`.
  public init(module status: agent_status) {
    self = ModuleStatus(rawValue: status) ?? .failed
  }
}
