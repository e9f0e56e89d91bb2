internal import AgentModules
internal import AgentSystem

/// The file work of requests and changes, with a deadline. A file that can't be read, as on a
/// network file system without its server, must not hold up what comes after it.
package enum FileDeadline {
  /// How long the files of one step may take.
  package static let limit = Duration.seconds(30)
  /// How long the files of one step of the host's start may take. It copies the libraries of all
  /// modules, on a disk that may be busy with the start of the machine.
  package static let startLimit = Duration.seconds(300)

  /// Runs work that reads or writes files.
  /// - Parameters:
  ///   - what: begins the message if the work takes too long: `Nothing was changed`.
  ///   - caller: what the files are for. See ``FileWork``.
  /// - Throws: `deadlineExceeded`, with the file that the work waits for.
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
