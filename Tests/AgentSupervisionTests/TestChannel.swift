import AgentSupervision
import Glibc
import Synchronization
import TestSupport

/// Speaks words, a line each, with a child that is a shell script.
final class TestChannel: WorkerChannel {
  private let connection: WorkerConnection
  private let watch = Mutex<LoopRegistration?>(nil)
  private let partial = Mutex<[UInt8]>([])
  private let drains: @Sendable () -> Bool

  init(_ connection: WorkerConnection, drains: @escaping @Sendable () -> Bool = { true }) {
    self.connection = connection
    self.drains = drains
  }

  func attach() {
    guard let socket = connection.socket else { return }
    let registration = connection.loop.register(socket, for: .readable) { [weak self] _ in
      self?.read()
    }
    watch.withLock { $0 = registration }
  }

  func start() { say("start") }
  func ping() { say("ping") }
  func stop(deadline: Duration) { say("stop") }

  func exited() { unwatch() }
  func drain() -> Bool { drains() }

  func close(_ exit: ExitStatus) {
    read()
    unwatch()
  }

  private func say(_ word: String) {
    guard let socket = connection.socket else { return }
    let line = word + "\n"
    _ = send(socket, line, line.utf8.count, Int32(MSG_NOSIGNAL))
  }

  private func read() {
    guard let socket = connection.socket else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(socket, &bytes, bytes.count)
    if count == 0 {
      unwatch()
      connection.handle.report(.hungUp)
    }
    for word in words(bytes.prefix(max(0, count))) { heard(word) }
  }

  private func words(_ bytes: ArraySlice<UInt8>) -> [String] {
    partial.withLock { partial in
      partial += bytes
      let lines = partial.split(separator: 10, omittingEmptySubsequences: false)
      partial = Array(lines.last ?? [])
      return lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func heard(_ word: String) {
    switch word {
    case "ready": connection.handle.report(.ready)
    case "started": connection.handle.report(.started)
    case "alive": connection.handle.report(.alive)
    case "ended": connection.handle.report(.endedByItself(succeeded: true, message: nil))
    default: connection.handle.report(.breach(reason: "said \(word)"))
    }
  }

  private func unwatch() {
    watch.withLock { watch in
      if let watch { connection.loop.deregister(watch) }
      watch = nil
    }
  }
}

/// A supervisor with the events that it told.
struct TestSupervisor {
  static let loop = try? EventLoop()

  let supervisor: Supervisor
  let events: EventLog

  /// Leaves orphans alone unless told: that concerns the whole process, where other tests start
  /// processes of their own.
  init(_ configuration: SupervisorConfiguration = .init(), killsOrphans: Bool = false) throws {
    var configuration = configuration
    configuration.killsOrphans = killsOrphans
    let events = EventLog()
    let loop = try Self.loop ?? EventLoop()
    self.events = events
    supervisor = Supervisor(loop: loop, configuration: configuration) { events.append($0) }
  }

  func add(_ spec: ChildSpec) async throws {
    try await supervisor.add(spec) { TestChannel($0) }
  }

  /// Runs a child whose channel reads what a process left, a part at a time; its pid.
  func run(_ spec: ChildSpec, drains: @escaping @Sendable () -> Bool) async throws -> Int32 {
    try await supervisor.add(spec) { TestChannel($0, drains: drains) }
    try await supervisor.start(spec.name)
    return try await supervisor.settled(spec.name).pid ?? -1
  }

  /// Adds a child, starts it and waits until it runs.
  func run(_ spec: ChildSpec) async throws -> ChildStatus {
    try await add(spec)
    try await supervisor.start(spec.name)
    return try await supervisor.settled(spec.name)
  }
}

/// Keeps events and lets tests wait for them.
final class EventLog: Sendable {
  private struct State {
    var events: [SupervisionEvent] = []
    var taken = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func append(_ event: SupervisionEvent) {
    let waiter = state.withLock { state in
      state.events.append(event)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  var all: [SupervisionEvent] { state.withLock { $0.events } }

  /// The next event for which `find` has a result, among those not looked at yet.
  func next<R: Sendable>(_ find: @Sendable (SupervisionEvent) -> R?) async -> R {
    while true {
      if let found = take(find) { return found }
      await withCheckedContinuation { waiter in
        let isLate = state.withLock { state in
          if state.taken < state.events.count { return true }
          state.waiter = waiter
          return false
        }
        if isLate { waiter.resume() }
      }
    }
  }

  /// Waits for an event of this kind.
  func next(_ kind: SupervisionEvent.Kind) async {
    let _: Bool = await next { $0.kind == kind ? true : nil }
  }

  private func take<R>(_ find: (SupervisionEvent) -> R?) -> R? {
    state.withLock { state in
      while state.taken < state.events.count {
        state.taken += 1
        if let found = find(state.events[state.taken - 1]) { return found }
      }
      return nil
    }
  }
}

extension SupervisionEvent {
  /// The line that a child wrote.
  var line: String? {
    if case .output(let line) = kind { line } else { nil }
  }
}

extension SupervisionEvent {
  /// The spare that was started.
  var sparePID: Int32? {
    if case .spareStarted(let pid) = kind { pid } else { nil }
  }
}

extension ChildSpec {
  static let answers =
    "while read -r word <&3; do case $word in start) echo started >&3;; ping) echo alive >&3;; "
    + "stop) exit 0;; esac; done"

  /// A child that runs `before`, says that it is ready and answers.
  static func shell(
    _ name: String, before: String = "", script: String? = nil, restart: RestartPolicy = .init(),
    timeouts: ChildTimeouts = .init(pingInterval: nil), limits: ChildLimits = .init(),
    environment: [String] = [], spareKey: String? = nil
  ) -> ChildSpec {
    let script = script ?? "\(before)\necho ready >&3\n\(answers)"
    return ChildSpec(
      name: name,
      command: ChildCommand(
        executable: "/bin/sh", arguments: ["-c", script],
        environment: ["PATH=/usr/bin:/bin"] + environment),
      restart: restart, timeouts: timeouts, limits: limits, spareKey: spareKey)
  }
}

/// Whether a process is there; a dead one that nobody has reaped counts.
func isAlive(_ pid: Int32) -> Bool {
  kill(pid, 0) == 0
}

/// Returns once a process is gone. A sweep doesn't report what it reaped: there is no event to
/// wait for.
func ended(_ pid: Int32) async throws {
  try await wait(while: isAlive(pid))
}
