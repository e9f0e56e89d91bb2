import CAgentModule

/// Reads a module's descriptor. It respects the sizes in the descriptor, because the module may
/// know fewer or more fields than this host.
struct DescriptorReader {
  private let descriptor: UnsafePointer<agent_module_descriptor_v1>
  private let module: String

  init(_ descriptor: UnsafePointer<agent_module_descriptor_v1>, module: String) {
    self.descriptor = descriptor
    self.module = module
  }

  func text(_ pointer: UnsafePointer<CChar>?, _ field: String) throws(ModuleLoadError) -> String {
    guard let pointer else { throw unusable("has no \(field)") }
    return String(cString: pointer)
  }

  func tables() throws(ModuleLoadError) -> [ContributionTable] {
    let count = Int(descriptor.pointee.contribution_count)
    guard count > 0 else { return [] }
    guard count <= 1024 else { throw unusable("claims \(count) contributions") }
    let stride = Int(descriptor.pointee.contribution_stride)
    guard let first = descriptor.pointee.contributions else {
      throw unusable("has no list of contributions")
    }
    guard stride >= ContributionTable.minimumSize, stride % 8 == 0 else {
      throw unusable("gives contributions \(stride) bytes each")
    }
    var tables: [ContributionTable] = []
    for index in 0..<count {
      tables.append(try table(UnsafeRawPointer(first) + index * stride, stride))
    }
    return tables
  }

  private func table(
    _ pointer: UnsafeRawPointer, _ stride: Int
  ) throws(ModuleLoadError) -> ContributionTable {
    let size = Int(pointer.load(as: UInt32.self))
    guard size >= ContributionTable.minimumSize, size <= stride else {
      throw unusable("describes a contribution in \(size) bytes")
    }
    let table = ContributionTable(pointer, size: size)
    guard !table.name.isEmpty else { throw unusable("has a contribution without a name") }
    guard (UInt32(AGENT_DATASOURCE)...UInt32(AGENT_ROUTE)).contains(table.kind) else {
      throw unusable("gives \"\(table.name)\" the kind \(table.kind), which doesn't exist")
    }
    guard table.create != nil, table.destroy != nil else {
      throw unusable("can't create or destroy \"\(table.name)\"")
    }
    return table
  }

  private func unusable(_ what: String) -> ModuleLoadError {
    ModuleLoadError(
      .descriptor, "The module \(module) \(what). Rebuild it: `agent build \(module)`.")
  }
}
