import AgentKit

/// What the host calls first. In a file of its own: a program has one such function only, so tests
/// of several modules leave it out.
@_cdecl("agent_module_v1")
public func agentModule() -> UnsafeRawPointer? { module.descriptor }
