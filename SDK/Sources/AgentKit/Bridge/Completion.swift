internal import CAgentModule

/// A completion of the other side. Its holder must ensure that it is called exactly once.
///
/// Rationale for `@unchecked`: the interface allows a completion to be called from any thread, and
/// this side never reads its `ctx`.
struct Completion: @unchecked Sendable {
  private let raw: agent_completion

  init(_ raw: agent_completion) {
    self.raw = raw
  }

  func succeed() {
    raw.call?(raw.ctx, agent_status(AGENT_OK), agent_bytes(ptr: nil, len: 0))
  }

  func fail(_ error: ModuleError) {
    lending(error.description) { raw.call?(raw.ctx, error.code.rawValue, $0) }
  }
}
