internal import AgentAccess
internal import AgentBots
internal import AgentDiagnostics
internal import AgentLogging
internal import AgentSettings
internal import AgentStore
internal import AgentSystem

/// Who may do what with this agent.
extension HostApplication {
  /// How often it is written down when tokens were used last.
  private static let useIsWritten = Duration.seconds(300)

  static func desk(_ log: LogHub) -> AccessControl {
    AccessControl(now: { Timestamp.now() }) { log.log(.error, $0) }
  }

  /// Reads who is known, and lets somebody be the first.
  func openAccess(_ store: any Store) async throws {
    try await access.open(store)
    bots.alsoEnding { [access] bot, transaction in
      try access.revokeTokens(ofBot: bot, in: transaction)
    }
    await adopt(settings.access)
    await FileWork.run { self.prepareSetup() }
  }

  /// Goes by new settings: users who aren't there yet are added.
  func adopt(_ settings: AccessSettings) async {
    for refusal in await access.adopt(settings) { log.log(.warning, refusal) }
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
