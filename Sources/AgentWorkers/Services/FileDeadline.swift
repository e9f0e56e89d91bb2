internal import AgentModules
package import AgentSystem

/// Runs the file work of requests and changes with a deadline. A file that can't be read, for
/// example on a network file system whose server is gone, must not delay the work after it.
package enum FileDeadline {
  /// The time limit of the file work of one step.
  package static let limit = Duration.seconds(30)
  /// The time limit of the file work of one step of the host's start. The host then copies the
  /// libraries of all modules, and the disk may be busy with the start of the machine.
  package static let startLimit = Duration.seconds(300)

  /// The pause before the next try to get a thread for a step that is repeated.
  private static let retryInterval = Duration.seconds(1)

  /// Runs work that reads or writes files, and returns its result.
  /// - Parameters:
  ///   - what: the beginning of the message if the work can't be done, such as
  ///     `Nothing was changed`.
  ///   - caller: the purpose of the files. See ``FileWork``.
  /// - Throws: `deadlineExceeded`, with the file for which the work waits. `notReady` if the work
  ///   wasn't begun, because no thread can be had for it now.
  package static func run<Value: Sendable>(
    or what: String, for caller: String = "settings", within limit: Duration = limit,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    start: FileWork.StartThread = FileWork.startThread, _ work: @escaping @Sendable () -> Value
  ) async throws(HostError) -> Value {
    let progress = FileProgress()
    let inTime: @Sendable () -> Value = { FileProgress.$current.withValue(progress) { work() } }
    do throws(FileWork.Failure) {
      return try await FileWork.run(for: caller, within: limit, pause: pause, start: start, inTime)
    } catch {
      throw HostError(error, or: what, file: progress.path ?? "A file", within: limit)
    }
  }

  /// Runs work like ``run(or:for:within:pause:start:_:)``, and repeats it while no thread can be had
  /// for it, once a second until the limit is over. For a step that nobody would repeat by hand.
  /// - Parameter pause: the pause between two tries.
  /// - Throws: `deadlineExceeded`, and `notReady` at the end of the limit or of the caller's task.
  package static func runOnceReady<Value: Sendable>(
    or what: String, for caller: String, within limit: Duration = limit,
    pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    start: FileWork.StartThread = FileWork.startThread, _ work: @escaping @Sendable () -> Value
  ) async throws(HostError) -> Value {
    var left = limit
    while true {
      let refusal: HostError
      do throws(HostError) {
        return try await run(or: what, for: caller, within: limit, start: start, work)
      } catch {
        guard error.code == .notReady, left > .zero else { throw error }
        refusal = error
      }
      do { try await pause(retryInterval) } catch { throw refusal }
      left -= retryInterval
    }
  }
}

extension HostError {
  /// The error of work that has no result.
  fileprivate init(
    _ failure: FileWork.Failure, or what: String, file: String, within limit: Duration
  ) {
    switch failure {
    case .late:
      self.init(
        .deadlineExceeded,
        "\(what): \(file) doesn't answer within \(limit.components.seconds) s. If it is on a "
          + "network file system, look for its server.")
    case .tooManyThreads:
      self.init(
        .notReady,
        "\(what): \(FileWork.maxThreads) threads wait for files that don't answer. If they are on "
          + "a network file system, look for its server.")
    case .noThread(let error):
      self.init(
        .notReady,
        "\(what): the system has no thread for it now (\(error)). Try again in a moment. If this "
          + "persists, raise the limit of threads, such as TasksMax= in the unit.")
    }
  }
}
