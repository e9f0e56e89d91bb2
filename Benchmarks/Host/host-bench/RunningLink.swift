import AgentEvents
import AgentModules
import AgentSettings
import AgentSupervision
import AgentWorkerProtocol
import BenchSupport
import CProbes
import Dispatch
import Glibc
import Synchronization

@testable import AgentWorkers

/// One worker, started as the host starts it: planned, spawned by a supervisor, spoken to through
/// the link that lives on the supervisor's loop.
struct RunningLink {
  private static let name = "bench"
  private let supervisor: Supervisor
  private let link: WorkerLink
  private let pid: Int32
  private let adapter = ContributionName(.logicAdapter, "bench_echo")

  /// Starts the worker; returns when its adapter is at work.
  init(bin: String, folder: String) throws(BenchError) {
    do {
      let planned = try Self.plan(bin: bin, folder: folder)
      let supervisor = Supervisor(
        loop: try EventLoop(), configuration: SupervisorConfiguration(killsOrphans: false)
      ) { _ in }
      let (link, pid) = try waiting { try await Self.start(planned, supervisor) }
      self.supervisor = supervisor
      self.link = link
      self.pid = pid
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError("\(error)")
    }
  }

  private static func plan(bin: String, folder: String) throws -> WorkerPlanner.Planned {
    let (manifest, problems) = Manifest.read(directory: "\(folder)/modules/bench_swift")
    guard let manifest else { throw BenchError("\(problems)") }
    let owner = try AgentFolder.locate(settings: "\(folder)/settings.json")
    try owner.prepare()
    let planner = WorkerPlanner(
      installation: WorkerInstallation(
        worker: "\(bin)/agent-worker", launcher: "\(bin)/agent-launch"),
      folder: owner, copies: LibraryCopies(folder: owner.libraries),
      interpreters: InterpreterPrefixes())
    let configure = Configure(
      contribution: ContributionName(.logicAdapter, "bench_echo"), process: name,
      settings: Array("{}".utf8), extensions: HostExtensions.offered)
    return planner.plan(
      name: name, manifest: manifest, configurations: [configure], limits: WorkerLimits(),
      sandbox: .default, environment: [:], restart: .temporary,
      supervision: SupervisionSettings())
  }

  private static func start(
    _ planned: WorkerPlanner.Planned, _ supervisor: Supervisor
  ) async throws -> (WorkerLink, Int32) {
    let made = Mutex<WorkerLink?>(nil)
    let services = WorkerServices(
      events: EventBus { 0 }, positions: SubscriptionPositions(), log: { _ in },
      sandboxReached: { _, _ in }, ended: { _, _ in })
    try await supervisor.add(planned.spec) { connection in
      let link = WorkerLink(plan: planned.plan, connection: connection, services: services)
      made.withLock { $0 = link }
      return link
    }
    try await supervisor.start(name)
    let status = try await supervisor.settled(name)
    guard let link = made.withLock({ $0 }), await link.isStarted(), let pid = status.pid else {
      throw BenchError("The worker doesn't start: \(status.reason ?? "unknown").")
    }
    return (link, pid)
  }

  /// Puts both ends on one core, all their threads.
  func pin() throws(BenchError) {
    guard probe_pin(pid) >= 0, probe_pin(getpid()) >= 0 else {
      throw BenchError("The worker can't be put on one core.")
    }
  }

  /// Nanoseconds for one call, the mean of `count`; `timeout` as the host's own callers give it.
  func time(_ count: Int, timeout: Duration?) throws(BenchError) -> Double {
    try waiting { () async throws -> Double in
      let input = Array(#"{"text":"hello"}"#.utf8)
      let begin = probe_now()
      for _ in 0..<count {
        if let timeout {
          _ = try await link.invoke(adapter, input: input, deadline: 0, timeout: timeout)
        } else {
          _ = try await link.invoke(adapter, input: input, deadline: 0)
        }
      }
      return Double(probe_now() - begin) / Double(count)
    }
  }

  /// Ends the worker.
  func close() throws(BenchError) {
    probe_unpin()
    try waiting { [supervisor] in await supervisor.shutdown(deadline: .seconds(1)) }
  }
}

/// Runs asynchronous work to its end; the calling thread waits.
func waiting<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws(BenchError) -> Value {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Result<Value, BenchError>>(.failure(BenchError("It never began.")))
  Task {
    do {
      let value = try await work()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error as? BenchError ?? BenchError("\(error)")) }
    }
    done.signal()
  }
  done.wait()
  return try result.withLock { $0 }.get()
}
