internal import AgentAccess
internal import AgentStore

/// Who may do what with this agent.
extension AgentHost {
  /// How often it is written down when tokens were used last.
  private static let useIsWritten = Duration.seconds(300)

  static func desk(_ log: LogHub) -> AccessDesk {
    AccessDesk(now: { Timestamp.now() }) { log.log(.error, $0) }
  }

  /// Writes down now and then when tokens were used last.
  func keepAccess() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: Self.useIsWritten)
      } catch {
        return
      }
      await access.tend()
    }
  }
}
