internal import AgentBots
internal import AgentEvents
internal import AgentJSON
internal import AgentLogging
internal import AgentSystem
internal import AgentTasks

extension TaskDispatcher {
  /// Creates the host's dispatcher. It publishes its events on the bus.
  convenience init(tasks: TaskEngine, events: EventBus, log: LogHub) {
    self.init(
      tasks: tasks, now: { Timestamp.now() }, steady: TaskEngine.machineTime,
      log: { level, message in
        log.report(level, message)
      },
      publish: { event in
        do {
          // Most events are live only. An event that must be stored is recorded in the transaction
          // of its cause; one that arrives here nevertheless waits until it can be stored.
          if event["__skipstorage"]?.bool == true {
            try events.publish([event], source: HostOutbox.source, by: .host) { _ in }
          } else {
            try events.publishPatiently([event], source: HostOutbox.source, by: .host) { _ in }
          }
        } catch {
          log.log(.error, "An event about a bot or its tasks can't be published. \(error)")
        }
      })
    // In the transaction of the change: neither the event nor the change is stored alone.
    record { try events.append([$0], source: "agent", to: $1) }
  }
}
