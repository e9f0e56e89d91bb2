import AgentKit

// Name, version and contributions must be those of module.json.
let module = Module("{{name}}", version: "0.1.0") {
}

/// What the host calls first.
@_cdecl("agent_module_v1")
public func agentModule() -> UnsafeRawPointer? { module.descriptor }
