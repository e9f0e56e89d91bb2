import AgentModuleLoader
import AgentWorkerProtocol

extension Connection {
  /// Sends a log record. While more than `maxLogBytes` wait to be sent, records are dropped and
  /// counted; the next record that fits reports their number. [any-thread]
  func log(_ record: LogRecord) {
    update { state, frames in
      guard state.queue.count < Self.maxLogBytes else {
        state.lostRecords += 1
        return
      }
      if state.lostRecords > 0 {
        let lost = LogRecord(
          level: .warning, message: "\(state.lostRecords) log records were dropped here.")
        frames.append(Frame(.log, body: lost.json))
        state.lostRecords = 0
      }
      // A record can only name a call that hasn't ended, so a late record goes to the process's
      // log.
      let call = state.calls[record.call] == nil ? 0 : record.call
      frames.append(Frame(.log, id: call, body: record.json))
    }
  }

  /// Publishes events. `accepted` is called once, and only if the result is `ok`. [any-thread]
  func publish(_ events: [UInt8], _ accepted: Accepted?) -> ModuleStatus {
    let (status, hasLeft) = update { state, frames -> (ModuleStatus, Bool) in
      state.lastToken += 1
      let token = state.lastToken
      switch state.session.publish(events, token: accepted == nil ? nil : token) {
      case .sent(let publishing):
        frames += publishing
        return (.ok, true)
      case .waiting(let publishing):
        frames += publishing
        state.publications[token] = accepted
        return (.ok, false)
      case .refused(let code): return (ModuleStatus(module: code.rawValue), false)
      }
    }
    // The callback is module code, which may call back into the connection, so it runs outside the
    // lock.
    if hasLeft { accepted?(.ok, "") }
    return status
  }
}
