import AgentWorkerProtocol

/// Something other than what the test waits for came.
struct Unexpected: Error {}

extension [HostAction] {
  /// The frames to send.
  var frames: [Frame] {
    compactMap { if case .send(let frame) = $0 { frame } else { nil } }
  }

  /// Why the talk ended.
  var breach: String? {
    compactMap { if case .breach(let reason) = $0 { reason } else { nil } }.first
  }
}
