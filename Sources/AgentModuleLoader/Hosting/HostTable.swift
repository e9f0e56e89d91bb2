import CAgentModule

/// The structs that a module receives as its host. Their addresses are constant until `deinit`.
///
/// Rationale: they are written once, before another thread can access them. `@unchecked` is
/// necessary because the compiler can't know that of allocated memory.
public final class HostTable: @unchecked Sendable {
  /// The extensions that this version can offer.
  public static let extensions = byMethod.union(["events/1", "liveness/1"])
  /// The extensions among them that are called by the names of their methods.
  static let byMethod: Set<String> = ["metrics/1", "state/1", "tasks/1"]

  let services: any HostServices
  let host: UnsafeMutablePointer<agent_host_v1>
  private let events: UnsafeMutablePointer<agent_events_v1>
  private let liveness: UnsafeMutablePointer<agent_liveness_v1>
  private let byMethod: ServiceTables
  private let offered: Set<String>

  init(services: any HostServices, extensions: Set<String>) {
    self.services = services
    offered = extensions
    byMethod = ServiceTables(Self.byMethod.intersection(extensions), of: services)
    host = .allocate(capacity: 1)
    events = .allocate(capacity: 1)
    liveness = .allocate(capacity: 1)
    // Unretained, because the owner of this object keeps it until the module has destroyed its
    // instance.
    let ctx = Unmanaged.passUnretained(self).toOpaque()
    host.initialize(to: Self.host(ctx))
    events.initialize(to: .calling(ctx))
    liveness.initialize(
      to: agent_liveness_v1(
        size: UInt32(MemoryLayout<agent_liveness_v1>.size), ctx: ctx,
        heartbeat: { HostTable.services($0)?.heartbeat() }))
  }

  deinit {
    host.deallocate()
    events.deallocate()
    liveness.deallocate()
  }

  private static func host(_ ctx: UnsafeMutableRawPointer) -> agent_host_v1 {
    agent_host_v1(
      size: UInt32(MemoryLayout<agent_host_v1>.size), abi: AGENT_ABI, ctx: ctx,
      log: { HostTable.services($0)?.log(level: $1, message: $2.text) },
      now: { HostTable.services($0)?.now() ?? 0 },
      get_extension: { HostTable.from($0)?.extensionTable($1) })
  }

  private func extensionTable(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    // A table may exist for an extension that isn't offered to this contribution.
    guard let id = id.map({ String(cString: $0) }), offered.contains(id) else { return nil }
    switch id {
    case AGENT_EVENTS_V1: return UnsafeRawPointer(events)
    case AGENT_LIVENESS_V1: return UnsafeRawPointer(liveness)
    default: return byMethod[id].map { UnsafeRawPointer($0) }
    }
  }

  private static func from(_ ctx: UnsafeMutableRawPointer?) -> HostTable? {
    ctx.map { Unmanaged<HostTable>.fromOpaque($0).takeUnretainedValue() }
  }

  static func services(_ ctx: UnsafeMutableRawPointer?) -> (any HostServices)? {
    from(ctx)?.services
  }
}
