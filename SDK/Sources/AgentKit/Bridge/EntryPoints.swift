internal import CAgentModule

// The functions of `agent_contribution_v1`. An instance is a retained `Instance` from `create`
// until `destroy`; the host promises not to call any of these outside that time.

/// Holds a contribution type for C; lives as long as the process.
final class TypeBox: Sendable {
  let type: ContributionType

  init(_ type: ContributionType) {
    self.type = type
  }
}

typealias Create =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<agent_host_v1>?, agent_bytes, agent_completion,
    UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> agent_status

let create: Create = { type, host, settings, problem, instance in
  guard let type, let host, let instance else { return agent_status(AGENT_INVALID_ARGUMENT) }
  let box = Unmanaged<TypeBox>.fromOpaque(type).takeUnretainedValue()
  let services = CHost(host)
  do {
    let host = AgentHost(services)
    let made = Instance(
      body: try box.type.create(copied(settings), host), host: services, metrics: host.metrics)
    instance.pointee = Unmanaged.passRetained(made).toOpaque()
    return agent_status(AGENT_OK)
  } catch {
    services.close()
    let error = ModuleError(crossing: error)
    Completion(problem).fail(error)
    return error.code.rawValue
  }
}

let start: @convention(c) (UnsafeMutableRawPointer?, agent_completion) -> agent_status = {
  pointer, ended in
  guard let instance = instance(pointer) else { return agent_status(AGENT_INVALID_ARGUMENT) }
  instance.start(Completion(ended))
  return agent_status(AGENT_OK)
}

let stop: @convention(c) (UnsafeMutableRawPointer?, agent_completion) -> Void = { pointer, done in
  guard let instance = instance(pointer) else { return Completion(done).succeed() }
  instance.stop(Completion(done))
}

typealias Invoke =
  @convention(c) (
    UnsafeMutableRawPointer?, UInt64, agent_bytes, Int64, UnsafePointer<agent_sink_v1>?
  ) -> Void

let invoke: Invoke = { pointer, call, input, deadline, sink in
  guard let instance = instance(pointer), let sink else { return }
  instance.invoke(
    call, input: copied(input), deadline: deadline,
    traceparent: text(of: sink, \.traceparent), tracestate: text(of: sink, \.tracestate),
    sink: CallSink(sink))
}

/// A text that was added to the sink later; nil where it is empty, and from a host that has no such
/// field.
private func text(
  of sink: UnsafePointer<agent_sink_v1>, _ field: KeyPath<agent_sink_v1, agent_bytes>
) -> String? {
  guard let offset = MemoryLayout<agent_sink_v1>.offset(of: field),
    Int(sink.pointee.size) >= offset + MemoryLayout<agent_bytes>.size
  else { return nil }
  // Not read as a whole struct: an older host has only its beginning.
  let bytes = copied(
    UnsafeRawPointer(sink).loadUnaligned(fromByteOffset: offset, as: agent_bytes.self))
  return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}

let cancel: @convention(c) (UnsafeMutableRawPointer?, UInt64) -> Void = { pointer, call in
  instance(pointer)?.cancel(call)
}

typealias CallSync =
  @convention(c) (
    UnsafeMutableRawPointer?, agent_bytes, UnsafeMutablePointer<UInt8>?, Int
  ) -> Int64

/// Neither retains nor locks: this path is measured in nanoseconds.
let callSync: CallSync = { pointer, input, out, capacity in
  guard let pointer else { return -Int64(AGENT_INVALID_ARGUMENT) }
  return Unmanaged<Instance>.fromOpaque(pointer)._withUnsafeGuaranteedRef { instance in
    guard let sync = instance.body.sync else { return -Int64(AGENT_UNSUPPORTED) }
    do throws(ModuleError) {
      return Int64(
        try sync.callSync(
          UnsafeRawBufferPointer(start: input.ptr, count: input.len),
          into: UnsafeMutableRawBufferPointer(start: out, count: capacity)))
    } catch {
      return -Int64(error.code.rawValue)
    }
  }
}

let destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
  guard let pointer else { return }
  let instance = Unmanaged<Instance>.fromOpaque(pointer).takeRetainedValue()
  instance.destroy()
}

/// Answers from a task, so that a module with a stuck executor doesn't appear alive.
let ping: @convention(c) (agent_completion) -> Void = { alive in
  let alive = Completion(alive)
  Task { alive.succeed() }
}

private func instance(_ pointer: UnsafeMutableRawPointer?) -> Instance? {
  pointer.map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() }
}
