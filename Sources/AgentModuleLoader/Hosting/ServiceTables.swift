import CAgentModule

/// The tables of the services that are called by the names of their methods, by id.
///
/// Rationale: they are allocated once, before another thread can access them, and constant until
/// `deinit`. `@unchecked` is necessary because the compiler can't know that of allocated memory.
final class ServiceTables: @unchecked Sendable {
  /// The object behind `ctx`: the service and its caller.
  private final class Service {
    let id: String
    // Unowned, because the host table keeps the services for as long as this object.
    unowned let services: any HostServices

    init(_ id: String, _ services: any HostServices) {
      self.id = id
      self.services = services
    }
  }

  private let contexts: [Service]
  private let tables: [String: UnsafeMutablePointer<agent_service_v1>]

  init(_ ids: some Sequence<String>, of services: any HostServices) {
    contexts = ids.map { Service($0, services) }
    var tables: [String: UnsafeMutablePointer<agent_service_v1>] = [:]
    for context in contexts {
      let table = UnsafeMutablePointer<agent_service_v1>.allocate(capacity: 1)
      table.initialize(
        to: agent_service_v1(
          size: UInt32(MemoryLayout<agent_service_v1>.size),
          ctx: Unmanaged.passUnretained(context).toOpaque(),
          call: { ServiceTables.call($0, method: $1, input: $2, traceparent: nil, done: $3) },
          call_traced: { ServiceTables.call($0, method: $1, input: $2, traceparent: $3, done: $4) })
      )
      tables[context.id] = table
    }
    self.tables = tables
  }

  deinit { for table in tables.values { table.deallocate() } }

  /// Returns the table of a service.
  subscript(id: String) -> UnsafePointer<agent_service_v1>? {
    tables[id].map { UnsafePointer($0) }
  }

  private static func call(
    _ ctx: UnsafeMutableRawPointer?, method: agent_bytes, input: agent_bytes,
    traceparent: agent_bytes?, done: agent_completion
  ) {
    let done = ModuleCompletion(done)
    guard let ctx else { return done.call(.closed, []) }
    let service = Unmanaged<Service>.fromOpaque(ctx).takeUnretainedValue()
    let trace = traceparent.flatMap { $0.len > 0 ? $0.text : nil }
    service.services.call(service.id, method.text, input: input.copy, traceparent: trace) {
      done.call($0, $1)
    }
  }
}
