internal import AgentModules

/// The words that this program was called with.
enum ProgramWords {
  /// As the kernel has them.
  ///
  /// Rationale: `CommandLine` finds them beside the environment on the stack, and finds none when a
  /// preloaded library has set a variable, which moves the environment. Every verb would print the
  /// help then, and succeed.
  static var own: [String] {
    guard let bytes = try? FileSystem.read("/proc/self/cmdline", limit: 4 << 20), bytes.last == 0
    else {
      return CommandLine.arguments
    }
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
