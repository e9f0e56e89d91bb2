import AgentModuleLoader
import AgentWorkerProtocol
import Glibc

/// The thread that reads from the socket. It posts the module's frames to the module thread, and
/// passes the host's answers to their callers.
struct Receiver: Sendable {
  let connection: Connection
  let thread: ModuleThread
  let reader: FrameReader

  func run() -> Never {
    var reader = reader
    while true {
      let frame = reader.next()
      for action in connection.update({ state, _ in state.session.receive(frame) }) {
        perform(action)
      }
    }
  }

  private func perform(_ action: WorkerAction) {
    switch action {
    case .send(let frame): connection.send(frame)
    case .load(let id, _): connection.send(Frame(.error, id: id))
    case .configure(let id, let configure): thread.post { $0.configure(id, configure) }
    case .start(let id, let name): thread.post { $0.start(id, name) }
    case .stop(let id, _): thread.post { $0.stop(id) }
    case .ping(let id): thread.post { $0.ping(id) }
    case .invoke(let id, let invoke): thread.post { $0.invoke(id, invoke) }
    case .cancel(let id): thread.post { $0.cancel(id) }
    case .events(let id, let batch): deliver(id, batch)
    case .closed(let id, let error): closed(id, error)
    case .answered(let id, let result):
      connection.update { state, _ in state.answers.removeValue(forKey: id) }?(result)
    case .accepted(let tokens, let status): accepted(tokens, ModuleStatus(module: status.rawValue))
    case .breach(let reason): Exit.now(70, reason)
    }
  }

  private func deliver(_ id: UInt32, _ batch: EventBatch) {
    thread.post { [connection] _ in
      // The subscription may have ended while the batch waited.
      let subscriber = connection.update { state, _ in state.subscribers[id] }
      subscriber?.events(UInt64(id), batch: batch.events, dropped: UInt64(batch.dropped))
    }
  }

  private func closed(_ id: UInt32, _ error: WorkerError) {
    thread.post { [connection] _ in
      let subscriber = connection.update { state, _ in state.subscribers.removeValue(forKey: id) }
      subscriber?.closed(
        UInt64(id), status: ModuleStatus(module: error.code.rawValue), message: error.message)
    }
  }

  private func accepted(_ tokens: [UInt64], _ status: ModuleStatus) {
    for token in tokens {
      connection.update { state, _ in state.publications.removeValue(forKey: token) }?(status, "")
    }
  }
}
