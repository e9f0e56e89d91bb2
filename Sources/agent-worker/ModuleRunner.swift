import AgentModuleLoader
import AgentWorkerProtocol

/// The module with its contributions. Only the module thread uses it.
struct ModuleRunner {
  /// A created contribution.
  struct Running {
    let instance: ContributionInstance
    var isStarted = false
  }

  let connection: Connection
  let thread: ModuleThread
  var module: LoadedModule?
  var functions: FunctionCaller?
  var running: [ContributionName: Running] = [:]
  var stopping: [UInt32] = []
  var missingStops = 0
  /// The contributions in the order of their creation. They are stopped in reverse order.
  var order: [ContributionName] = []

  init(connection: Connection, thread: ModuleThread) {
    self.connection = connection
    self.thread = thread
  }

  func fail(_ id: UInt32, code: StatusCode, message: String, cause: String? = nil) {
    connection.update { state, frames in
      frames.append(state.session.fail(id, WorkerError(code, message, cause: cause)))
    }
  }

  /// Answers PING through the module's own probe if it has one.
  func ping(_ id: UInt32) {
    guard let module else { return connection.send(Frame(.reply, id: id)) }
    module.ping { [connection] in connection.send(Frame(.reply, id: id)) }
  }
}
