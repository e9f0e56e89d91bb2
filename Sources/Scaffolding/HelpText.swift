/// Adapts the messages of the command-line parser.
public enum HelpText {
  /// Moves the example of a help text to its end, where readers find it, and removes the parser's
  /// "Error: " from the beginning.
  public static func arranged(_ message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    if let first = lines.first, first.hasPrefix("Error: ") { lines[0] = first.dropFirst(7) }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("Example: ") }) else {
      return lines.joined(separator: "\n")
    }
    let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
    let example = lines[start..<end]
    lines.removeSubrange(start..<min(end + 1, lines.endIndex))
    while lines.last?.isEmpty == true { lines.removeLast() }
    return (lines + [""] + example).joined(separator: "\n")
  }
}
