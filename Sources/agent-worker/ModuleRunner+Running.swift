import AgentJSON
import AgentModuleLoader
import AgentWorkerProtocol

extension ModuleRunner {
  mutating func start(_ id: UInt32, _ name: ContributionName) {
    if isFunction(name) { return connection.send(Frame(.reply, id: id)) }
    guard let entry = running[name], !entry.isStarted else {
      return fail(
        id, code: .invalidArgument, message: "The \(name) isn't created, or is started already.")
    }
    let status = entry.instance.start { [thread] status, message in
      thread.post { $0.ended(name, status: StatusCode(status), message: message) }
    }
    guard status == .ok else {
      return fail(id, code: StatusCode(status), message: "The \(name) didn't start.")
    }
    running[name]?.isStarted = true
    connection.send(Frame(.reply, id: id))
  }

  /// Reports that a contribution has ended by itself. After STOP the host expects the end, so it
  /// isn't reported.
  private func ended(_ name: ContributionName, status: StatusCode, message: String) {
    guard stopping.isEmpty else { return }
    let ended = Ended(
      contribution: name, status: status, message: message.isEmpty ? nil : message)
    connection.send(Frame(.ended, body: ended.json))
  }

  mutating func invoke(_ id: UInt32, _ invoke: Invoke) {
    let name = invoke.contribution
    if isFunction(name) { return call(id, invoke) }
    guard let entry = running[name], entry.isStarted else {
      return finish(id, .failure(WorkerError(.unsupported, "The \(name) isn't started.")))
    }
    // Known before the module is called, because the module may finish the call on another thread
    // at once.
    connection.update { state, _ in state.calls[id] = name }
    let sink = CallSink(
      part: { [connection] part in
        guard Self.isJSON(part) else { return }
        connection.update { state, frames in
          if let frame = state.session.part(id, part) { frames.append(frame) }
        }
      },
      log: { [connection] level, message in
        connection.log(
          LogRecord(level: WireLevel(rawValue: level) ?? .info, message: message, call: id))
      },
      finish: { [connection] status, result in
        connection.finish(id, Self.result(status, result))
      })
    entry.instance.invoke(
      call: UInt64(id), input: invoke.input, deadline: invoke.deadline,
      traceparent: invoke.traceparent, tracestate: invoke.tracestate, sink: sink)
  }

  func cancel(_ id: UInt32) {
    guard let name = connection.update({ state, _ in state.calls[id] }) else { return }
    running[name]?.instance.cancel(call: UInt64(id))
  }

  private func call(_ id: UInt32, _ invoke: Invoke) {
    do {
      let result = try functions?.call(invoke.contribution.name, input: invoke.input) ?? []
      finish(id, .success(result))
    } catch {
      finish(id, .failure(WorkerError(StatusCode(error.status), error.message)))
    }
  }

  private func finish(_ id: UInt32, _ result: Result<[UInt8], WorkerError>) {
    connection.finish(id, result)
  }

  private static func result(
    _ status: ModuleStatus, _ result: [UInt8]
  ) -> Result<[UInt8], WorkerError> {
    guard status == .ok else {
      let failure =
        result.isEmpty ? "The module gave no reason." : String(decoding: result, as: UTF8.self)
      return .failure(WorkerError(StatusCode(status), failure))
    }
    guard result.isEmpty || isJSON(result) else {
      return .failure(WorkerError(.failed, "The module answered with text that isn't JSON."))
    }
    return .success(result)
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONDocument(parsing: bytes)) != nil
  }
}

extension Connection {
  /// Sends the end of a call. Only the first end of a call counts. [any-thread]
  func finish(_ id: UInt32, _ result: Result<[UInt8], WorkerError>) {
    update { state, frames in
      state.calls[id] = nil
      if let frame = state.session.finish(id, result) { frames.append(frame) }
    }
  }
}
