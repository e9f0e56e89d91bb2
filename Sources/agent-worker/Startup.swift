import AgentModuleLoader
import AgentWorkerProtocol
import CAgentModule
import Glibc

/// The start of the worker, up to the sandbox. It runs on the main thread while there is no other
/// one: Landlock restricts only the calling thread and the threads that it starts later.
struct Startup {
  /// The contents of LOAD, and the level of the sandbox.
  struct Loading: Sendable {
    let id: UInt32
    let request: Load
    let sandbox: Sandbox.Reached
  }

  private let connection: Connection
  /// The pipe to which the level of the sandbox is reported, before code of the module can.
  private let crash: Int32?
  private(set) var reader: FrameReader

  init(connection: Connection, crash: Int32?) {
    self.connection = connection
    self.crash = crash
    reader = FrameReader(connection: connection)
  }

  /// Waits for LOAD and enters the sandbox. In a warm spare, the wait may take hours.
  mutating func run() -> Loading {
    let hello = Hello(
      protocols: 1...1, abi: Int(AGENT_ABI), toolchain: Toolchain.own.description, pid: getpid())
    connection.update { state, frames in frames.append(state.session.hello(hello)) }
    Sandbox.prepare()
    let (id, load) = awaitLoad()
    if let refusal = prepare(load) { refuse(id, refusal) }
    switch Sandbox.enter(load) {
    case .success(let reached):
      if let crash, let failure = reached.report(to: crash) { refuse(id, failure) }
      return Loading(id: id, request: load, sandbox: reached)
    case .failure(let error): refuse(id, error)
    }
  }

  private mutating func awaitLoad() -> (UInt32, Load) {
    while true {
      let frame = reader.next()
      for action in connection.update({ state, _ in state.session.receive(frame) }) {
        switch action {
        case .send(let answer): connection.send(answer)
        case .load(let id, let load): return (id, load)
        case .ping(let id): connection.send(Frame(.reply, id: id))
        case .stop(let id, _):
          connection.update { state, frames in frames.append(state.session.stopped(id)) }
          connection.end()
        case .breach(let reason): Exit.now(70, reason)
        default: break
        }
      }
    }
  }

  private func prepare(_ load: Load) -> WorkerError? {
    guard chdir(load.directory) == 0 else {
      return WorkerError(
        .failed, "The module's folder \"\(load.directory)\" can't be entered.",
        cause: String(cString: strerror(errno)))
    }
    setenv("AGENT_MODULE_DIR", load.directory, 1)
    return nil
  }

  /// Reports the failure and ends the process. A process that is half prepared can't serve another
  /// module.
  private func refuse(_ id: UInt32, _ error: WorkerError) -> Never {
    connection.update { state, frames in frames.append(state.session.fail(id, error)) }
    connection.finish()
  }
}
