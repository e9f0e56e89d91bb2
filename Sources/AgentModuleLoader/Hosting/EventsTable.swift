import CAgentModule

extension agent_events_v1 {
  /// Returns the table of `events/1`. It forwards calls to the services of the host table that
  /// `ctx` points to.
  static func calling(_ ctx: UnsafeMutableRawPointer) -> agent_events_v1 {
    agent_events_v1(
      size: UInt32(MemoryLayout<agent_events_v1>.size), ctx: ctx,
      publish: { ctx, events, accepted in
        EventsTable.publish(ctx, events: events, accepted: accepted).rawValue
      },
      subscribe: { ctx, request, subscriber, subscription in
        EventsTable.subscribe(
          ctx, request: request, subscriber: subscriber, subscription: subscription
        ).rawValue
      },
      acknowledge: { ctx, subscription, count in
        HostTable.services(ctx)?.acknowledge(subscription: subscription, count: count)
      },
      unsubscribe: { ctx, subscription in
        HostTable.services(ctx)?.unsubscribe(subscription: subscription)
      },
      query: { ctx, request, done in
        let done = ModuleCompletion(done)
        HostTable.services(ctx)?.query(request: request.copy) { done.call($0, $1) }
      })
  }
}

private enum EventsTable {
  private static let warning: UInt32 = 4

  static func publish(
    _ ctx: UnsafeMutableRawPointer?, events: agent_bytes, accepted: agent_completion
  ) -> ModuleStatus {
    guard let services = HostTable.services(ctx) else { return .closed }
    guard accepted.call != nil else { return services.publish(events: events.copy, accepted: nil) }
    let accepted = ModuleCompletion(accepted)
    return services.publish(events: events.copy) { accepted.call($0, Array($1.utf8)) }
  }

  static func subscribe(
    _ ctx: UnsafeMutableRawPointer?, request: agent_bytes,
    subscriber: UnsafePointer<agent_subscriber_v1>?, subscription: UnsafeMutablePointer<UInt64>?
  ) -> ModuleStatus {
    guard let services = HostTable.services(ctx), let subscriber, let subscription,
      subscriber.pointee.size >= UInt32(MemoryLayout<agent_subscriber_v1>.size)
    else { return .invalidArgument }
    switch services.subscribe(request: request.copy, subscriber: EventSubscriber(subscriber)) {
    case .success(let id):
      subscription.pointee = id
      return .ok
    case .failure(let failure):
      // The interface returns only a status. The log record tells the author what to change.
      services.log(level: warning, message: "A subscription was refused: \(failure.message)")
      return failure.status
    }
  }
}

/// A completion from a module.
///
/// Rationale: the interface allows one call, from any thread. `@unchecked` is necessary because the
/// compiler can't know that of C pointers.
struct ModuleCompletion: @unchecked Sendable {
  private let completion: agent_completion

  init(_ completion: agent_completion) {
    self.completion = completion
  }

  func call(_ status: ModuleStatus, _ result: [UInt8]) {
    withBytes(result) { completion.call?(completion.ctx, status.rawValue, $0) }
  }
}
