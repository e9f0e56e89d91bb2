internal import AgentAccess
internal import AgentLogging
internal import AgentModules
internal import AgentText
internal import Glibc
internal import Synchronization

/// The first start of an agent that has no user: a secret with which one person can become the
/// first administrator.
final class FirstUserSetup: Sendable {
  private let file: String
  private let access: AccessControl
  private let log: LogHub
  private let showsLinks: Bool
  /// Until it was shown on the terminal.
  private let secret = Mutex<String?>(nil)

  /// - Parameters:
  ///   - file: keeps the secret for the agent's user.
  ///   - showsLinks: whether the log goes to standard error.
  init(file: String, _ access: AccessControl, _ log: LogHub, showsLinks: Bool) {
    self.file = file
    self.access = access
    self.log = log
    self.showsLinks = showsLinks
  }

  /// Makes the secret while there is no user. It is written to a file that only the agent's user
  /// can read, and shown on a terminal; nothing else contains it. Blocks: for the thread for files.
  /// A failure is a warning in the log.
  func prepare() {
    let new = AccessControl.newSetupSecret()
    do {
      let isNeeded = try access.expectSetup(with: new) { [file, weak self] in
        unlink(file)
        self?.secret.withLock { $0 = nil }
      }
      guard isNeeded else {
        // A file that a killed host has left opens nothing any more, but looks as if it did.
        unlink(file)
        return
      }
      try FileSystem.replace(file, with: Array((new + "\n").utf8), mode: 0o600)
      secret.withLock { $0 = new }
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
  func showLink(at base: String) {
    // A file or a journal that standard error is sent to would keep the secret.
    guard showsLinks, isatty(2) == 1, let secret = secret.withLock({ $0.take() }) else { return }
    let text = """
      There is no user yet. This link creates the first administrator, once:
        \(base)/setup#\(secret)

      """
    // The address is from the settings or from a request.
    let bytes = Array(VisibleText.block(text).utf8)
    // Directly: the log would store it and forward it.
    _ = write(2, bytes, bytes.count)
  }
}
