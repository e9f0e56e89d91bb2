internal import CAgentModule

/// Builds the description that `agent_module_v1` returns. It is never freed.
func makeDescriptor(
  name: String, version: String, _ types: [ContributionType]
) -> UnsafeRawPointer {
  let table = UnsafeMutablePointer<agent_contribution_v1>.allocate(capacity: max(types.count, 1))
  for (index, type) in types.enumerated() {
    (table + index).initialize(to: entry(for: type))
  }
  let descriptor = UnsafeMutablePointer<agent_module_descriptor_v1>.allocate(capacity: 1)
  descriptor.initialize(
    to: agent_module_descriptor_v1(
      size: UInt32(MemoryLayout<agent_module_descriptor_v1>.size), abi: AGENT_ABI,
      name: kept(name), version: kept(version), contribution_count: UInt32(types.count),
      contribution_stride: UInt32(MemoryLayout<agent_contribution_v1>.stride),
      contributions: UnsafePointer(table), ping: ping))
  return UnsafeRawPointer(descriptor)
}

private func entry(for type: ContributionType) -> agent_contribution_v1 {
  let runs =
    type.kind == agent_kind(AGENT_DATASOURCE)
    || type.kind == agent_kind(AGENT_MONITOR)
  return agent_contribution_v1(
    size: UInt32(MemoryLayout<agent_contribution_v1>.size), kind: type.kind, name: kept(type.name),
    type_ctx: Unmanaged.passRetained(TypeBox(type)).toOpaque(), create: create,
    start: runs ? start : nil, stop: stop, invoke: invoke, cancel: cancel, call_sync: callSync,
    destroy: destroy)
}

/// A C string that is never freed.
private func kept(_ text: String) -> UnsafePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() {
    (copy + index).initialize(to: byte)
  }
  return UnsafePointer(copy)
}
