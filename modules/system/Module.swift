import AgentKit

/// What this module offers. Name, version and contributions must be those of `module.json`.
let module = Module("system", version: "0.1.0") {
  HostMetrics.self
  ResourceAlarm.self
  SystemStatus.self
  SystemHealth.self
  DataBackup.self
}
