internal import Dispatch
internal import Synchronization

/// The file work of one caller: in order, one after the other, on a thread of its own. Safe from
/// every thread.
///
/// A file of a network file system whose server is gone, or a terminal that is stopped, may hold a
/// call up for ever, and nothing can end it. Each wait therefore has a deadline, and the number of
/// waits has a bound. While a call is stuck, this caller's further work is refused at once. That of
/// other callers goes on, because each has a queue of its own.
package final class FileQueue: Sendable {
  private enum Call {
    case waiting, running
    /// It runs, and its deadline is over.
    case stuck
    /// It hasn't begun, and its deadline is over.
    case abandoned
  }

  private struct State {
    var calls: [Int: Call] = [:]
    var last = 0
    /// Whether one of the calls is stuck.
    var isStuck = false
  }

  /// How long a call may take by default, the wait for earlier ones included.
  package static let limit = Duration.seconds(30)
  /// The largest number of calls that wait or run, by default.
  package static let maxCalls = 64

  private let thread: DispatchQueue
  private let name: String
  private let limit: Duration
  private let maxCalls: Int
  private let pause: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// Makes a queue. It has a thread while it has work.
  /// - Parameters:
  ///   - name: what the files are for, as in `The files of NAME don't answer`.
  ///   - limit: how long a call may take, the wait for earlier ones included.
  ///   - maxCalls: the largest number of calls that wait or run.
  ///   - pause: waits for a duration.
  package init(
    _ name: String, limit: Duration = limit, maxCalls: Int = maxCalls,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.name = name
    self.limit = limit
    self.maxCalls = maxCalls
    self.pause = pause
    thread = DispatchQueue(label: "agent.files.\(name)")
  }

  /// Runs work that may block, after the earlier work of this queue.
  /// - Throws: a delay if the work doesn't end in time, or can't be expected to. Work that runs goes
  ///   on, and work that hasn't begun never does.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async throws(FileDelay) -> Value {
    let number = try enter()
    let answer = FirstAnswer<Value?>()
    thread.async { [self] in
      // Not by `defer`: the next call of the caller must find this one ended.
      guard begin(number) else { return end(number) }
      let value = work()
      end(number)
      answer.give(value)
    }
    let clock = Task { [self] in
      try await pause(limit)
      abandon(number)
      answer.give(nil)
    }
    defer { clock.cancel() }
    guard let value = await answer.value else { throw FileDelay(name, .late(limit)) }
    return value
  }

  private func enter() throws(FileDelay) -> Int {
    let entry = state.withLock { state -> Result<Int, FileDelay> in
      if state.isStuck { return .failure(FileDelay(name, .stuck)) }
      guard state.calls.count < maxCalls else {
        return .failure(FileDelay(name, .busy(maxCalls)))
      }
      state.last += 1
      state.calls[state.last] = .waiting
      return .success(state.last)
    }
    return try entry.get()
  }

  /// Returns whether somebody still waits for a call.
  private func begin(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.calls[number] == .waiting else { return false }
      state.calls[number] = .running
      return true
    }
  }

  private func end(_ number: Int) {
    state.withLock { state in
      if state.calls.removeValue(forKey: number) == .stuck { state.isStuck = false }
    }
  }

  private func abandon(_ number: Int) {
    state.withLock { state in
      switch state.calls[number] {
      case .waiting: state.calls[number] = .abandoned
      case .running:
        state.calls[number] = .stuck
        state.isStuck = true
      // It has ended meanwhile.
      case .stuck, .abandoned, nil: break
      }
    }
  }
}

/// Files that don't answer in time.
package struct FileDelay: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why nothing was read or written.
  package enum Reason: Sendable, Hashable {
    /// The work hasn't ended within its time.
    case late(Duration)
    /// Earlier work hasn't ended within its time, and still runs.
    case stuck
    /// This much earlier work waits.
    case busy(Int)
  }

  /// The purpose of the files.
  package let name: String
  package let reason: Reason

  /// Makes a delay.
  package init(_ name: String, _ reason: Reason) { (self.name, self.reason) = (name, reason) }

  /// A sentence with the problem and its remedy.
  package var description: String {
    let remedy = "If they are on a network file system, look for its server."
    return switch reason {
    case .late(let limit):
      "The files of \(name) don't answer within \(limit.components.seconds) s. \(remedy)"
    case .stuck: "The files of \(name) don't answer. \(remedy)"
    case .busy(let count):
      "The files of \(name) are slow: \(count) earlier requests wait for them. \(remedy)"
    }
  }
}
