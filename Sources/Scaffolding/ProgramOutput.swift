internal import AgentText
internal import Glibc

/// Writes to standard output and standard error. No other code of the programs for scaffolding does.
///
/// Control characters of other texts never reach the terminal. A problem quotes the manifests of
/// modules, which may come from anywhere.
public enum ProgramOutput {
  /// Writes lines to standard output.
  public static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Writes a question, after which the cursor stays.
  public static func ask(_ question: String) { write(question, to: STDOUT_FILENO) }

  /// Writes lines to standard error.
  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(VisibleText.block(text).utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
