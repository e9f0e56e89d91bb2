internal import AgentAccess
internal import AgentBots
internal import AgentDiagnostics
internal import AgentLogging
internal import AgentSettings
internal import AgentStore
internal import AgentSystem

/// Users, tokens, roles and the audit log of this agent.
extension HostApplication {
  /// How often the last use of tokens is written to the database. The time stays in memory until
  /// then, so that a request doesn't cost a commit.
  private static let useIsWritten = Duration.seconds(300)

  static func desk(_ log: LogHub) -> AccessControl {
    AccessControl(now: { Timestamp.now() }) { log.log(.error, $0) }
  }

  /// Reads users and tokens from the database, adds the users of the settings, and prepares the
  /// creation of the first administrator. Called once, while the database is opened; throws what
  /// the database throws.
  func openAccess(_ store: any Store) async throws {
    try await access.open(store)
    // A token must not outlive the bot that it stands for, so both end in one commit. This is
    // registered before the dispatcher is opened: a bot can end only after that.
    bots.alsoEnding { [access] bot, transaction in
      try access.revokeTokens(ofBot: bot, in: transaction)
    }
    await adopt(settings.access)
    // After the settings' users: with one of them there is no first administrator to create.
    await FileWork.run { self.prepareSetup() }
  }

  /// Adds the users of new settings that don't exist yet. A refusal is a warning in the log,
  /// since one wrong user must not stop the others.
  func adopt(_ settings: AccessSettings) async {
    for refusal in await access.adopt(settings) { log.log(.warning, refusal) }
  }

  /// Writes the last use of tokens to the database every five minutes, until the task is cancelled.
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
