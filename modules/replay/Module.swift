import AgentKit

/// What this module offers. Name, version and contributions must be those of `module.json`.
let module = Module("replay", version: "0.1.0") {
  Replay.self
}
