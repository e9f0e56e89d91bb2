import AgentKit

private let module = Module("system", version: "0.1.0") {
  HostMetrics.self
  ResourceAlarm.self
  SystemStatus.self
}

/// What the host calls first.
@_cdecl("agent_module_v1")
public func agentModule() -> UnsafeRawPointer? { module.descriptor }
