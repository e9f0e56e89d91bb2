internal import AgentAccess
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import Glibc
internal import Synchronization

/// The first start of an agent that has no user.
extension HostApplication {
  /// While there is no user: makes the secret that lets one person be the first administrator, in a
  /// file for who runs the agent. It is told nowhere else but on a terminal.
  func prepareSetup() {
    let (file, secret) = (folder.setupSecret, AccessControl.newSetupSecret())
    do {
      let isNeeded = try access.expectSetup(with: secret) { [weak self] in
        unlink(file)
        self?.state.withLock { $0.setupSecret = nil }
      }
      guard isNeeded else {
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

  /// Shows it, once, to who sits at the terminal. The secret is in the link's fragment, which
  /// browsers don't send, and it isn't logged.
  func tellSetup() {
    guard options.logsToTerminal, isatty(2) == 1, let base = baseURL,
      let secret = state.withLock({ $0.setupSecret.take() })
    else { return }
    let text = """
      There is no user yet. This link creates the first administrator, once:
        \(base)/setup#\(secret)

      """
    let bytes = Array(text.utf8)
    _ = write(2, bytes, bytes.count)
  }
}
