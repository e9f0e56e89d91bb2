internal import AgentModules

/// The arguments of this program.
enum ProgramWords {
  /// The arguments in the kernel's copy.
  ///
  /// Rationale: `CommandLine` looks for them beside the environment on the stack. It finds none if
  /// a preloaded library has set a variable, which moves the environment. Then every verb would
  /// print its help and succeed.
  static var own: [String] {
    guard let bytes = try? FileSystem.read("/proc/self/cmdline", limit: 4 << 20), bytes.last == 0
    else {
      return CommandLine.arguments
    }
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
