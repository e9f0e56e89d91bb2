internal import AgentAccess
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import Glibc
internal import Synchronization

/// The first start of an agent that has no user.
extension HostApplication {
  /// Makes the secret with which one person can become the first administrator, while there is no
  /// user. It is written to a file that only the agent's user can read, and shown on a terminal;
  /// nothing else contains it. Blocks: for the thread for files. A failure is a warning in the log.
  func prepareSetup() {
    let (file, secret) = (folder.setupSecret, AccessControl.newSetupSecret())
    do {
      let isNeeded = try access.expectSetup(with: secret) { [weak self] in
        unlink(file)
        self?.state.withLock { $0.setupSecret = nil }
      }
      guard isNeeded else {
        // A file that a killed host has left opens nothing any more, but looks as if it did.
        unlink(file)
        return
      }
      try FileSystem.replace(file, with: Array((secret + "\n").utf8), mode: 0o600)
      state.withLock { $0.setupSecret = secret }
      log.log(
        .notice,
        "There is no user yet. \"agent user add NAME --role administrator\" creates the first one, "
          + "as does the setup page with the secret in .agent/setup-secret.")
    } catch {
      log.log(.warning, "The secret of the first start can't be written to \(file): \(error)")
    }
  }

  /// Shows the link once on the terminal. The secret is in the link's fragment, which browsers
  /// don't send, and it isn't logged.
  func tellSetup() {
    // A file or a journal that standard error is sent to would keep the secret.
    guard options.logsToTerminal, isatty(2) == 1, let base = baseURL,
      let secret = state.withLock({ $0.setupSecret.take() })
    else { return }
    let text = """
      There is no user yet. This link creates the first administrator, once:
        \(base)/setup#\(secret)

      """
    let bytes = Array(text.utf8)
    // Directly: the log would store it and forward it.
    _ = write(2, bytes, bytes.count)
  }
}
