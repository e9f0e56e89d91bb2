public import AgentTasks

/// In tests a name is somebody who may have anything done, and nil is the host: who may what is
/// `TaskAuthorityTests`' matter.
extension TaskAuthority: ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  public init(stringLiteral name: String) { self = .unrestricted(as: name) }
  public init(nilLiteral: ()) { self = .unrestricted(as: nil) }
}
