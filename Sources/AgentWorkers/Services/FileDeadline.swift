internal import AgentModules
internal import AgentSystem

/// Runs the file work of requests and changes with a deadline. A file that can't be read, for
/// example on a network file system whose server is gone, must not delay the work after it.
package enum FileDeadline {
  /// The time limit of the file work of one step.
  package static let limit = Duration.seconds(30)
  /// The time limit of the file work of one step of the host's start. The host then copies the
  /// libraries of all modules, and the disk may be busy with the start of the machine.
  package static let startLimit = Duration.seconds(300)

  /// Runs work that reads or writes files, and returns its result.
  /// - Parameters:
  ///   - what: the beginning of the message if the work takes too long, such as
  ///     `Nothing was changed`.
  ///   - caller: the purpose of the files. See ``FileWork``.
  /// - Throws: `deadlineExceeded`, with the file for which the work waits.
  package static func run<Value: Sendable>(
    or what: String, for caller: String = "settings", within limit: Duration = limit,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ work: @escaping @Sendable () -> Value
  ) async throws(HostError) -> Value {
    let progress = FileProgress()
    let value = await FileWork.run(for: caller, within: limit, pause: pause) {
      FileProgress.$current.withValue(progress) { work() }
    }
    if let value { return value }
    let file = progress.path ?? "A file"
    throw HostError(
      .deadlineExceeded,
      "\(what): \(file) doesn't answer within \(limit.components.seconds) s. If it is on a network "
        + "file system, look for its server.")
  }
}
