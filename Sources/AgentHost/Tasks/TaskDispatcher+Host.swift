internal import AgentBots
internal import AgentEvents
internal import AgentJSON
internal import AgentLogging
internal import AgentSystem
internal import AgentTasks

extension TaskDispatcher {
  /// The host's own.
  convenience init(tasks: TaskEngine, events: EventBus, log: LogHub) {
    self.init(
      tasks: tasks, now: { Timestamp.now() }, steady: TaskEngine.machineTime,
      log: { level, message in
        log.report(level, message)
      },
      publish: { event in
        do {
          // Live only, mostly: an event that is to be stored is part of the commit of its cause.
          // One that comes here all the same waits until it can be stored.
          if event["__skipstorage"]?.bool == true {
            try events.publish([event], source: HostOutbox.source, by: .host) { _ in }
          } else {
            try events.publishPatiently([event], source: HostOutbox.source, by: .host) { _ in }
          }
        } catch {
          log.log(.error, "An event about a bot or its tasks can't be published. \(error)")
        }
      })
    // Stored in the transaction of the change itself: an event about a bot is never there without
    // the change, nor the change without it.
    record { try events.append([$0], source: "agent", to: $1) }
  }
}
