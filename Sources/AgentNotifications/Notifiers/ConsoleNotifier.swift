internal import AgentSystem
internal import AgentText
internal import Glibc

/// Keeps notices for the console, which reads the deliveries to it, and prints them where the host
/// has a terminal.
package struct ConsoleNotifier: Notifier {
  private let printsToTerminal: Bool
  private let terminal = FileQueue("the terminal", limit: .seconds(5))

  /// - Parameter printsToTerminal: whether the host has a terminal that shows them.
  package init(printsToTerminal: Bool) { self.printsToTerminal = printsToTerminal }

  package func deliver(_ notice: Notice) async throws {
    // Without a terminal the delivery succeeds as well: the console reads it from the store.
    guard printsToTerminal else { return }
    let line = Self.line(notice)
    // A terminal that is stopped (Ctrl-S) blocks the write.
    do {
      try await terminal.run { _ = write(STDOUT_FILENO, line, line.count) }
    } catch {
      // The console has the notice all the same. A repeated delivery would print it twice.
    }
  }

  /// On one line: what a notice says comes from anywhere, and mustn't move the cursor.
  static func line(_ notice: Notice) -> [UInt8] {
    let text = notice.text.isEmpty ? notice.title : "\(notice.title): \(notice.text)"
    return Array("[\(notice.severity.rawValue)] \(VisibleText.line(text))\n".utf8)
  }
}
