public import CAgentModule
import Glibc

/// The library of a module in this process, and its descriptor. It is never unloaded, because Swift
/// libraries don't support that.
///
/// Rationale: the descriptor is constant and lives as long as the process, so every thread may read
/// it. `@unchecked` is necessary because the compiler can't know that of a C pointer.
public struct LoadedModule: @unchecked Sendable {
  /// A contribution of the module.
  public struct ContributionEntry: Sendable, Hashable {
    /// The kind: `AGENT_DATASOURCE` … `AGENT_STRATEGY`.
    public let kind: UInt32
    /// The name, unique within the kind.
    public let name: String
  }

  /// The module's name.
  public let name: String
  /// The module's version.
  public let version: String
  /// The version of the module interface that it was compiled with.
  public let abi: UInt32
  /// The contributions, in the order of the descriptor.
  public let contributions: [ContributionEntry]
  private let descriptor: UnsafePointer<agent_module_descriptor_v1>
  private let tables: [ContributionTable]

  /// Loads a module's library and reads its descriptor. [module-thread]
  /// - Parameters:
  ///   - path: the absolute path of the library.
  ///   - origin: the module's own file, for messages, if `path` is a copy of it.
  ///   - module: the name in the manifest, for messages.
  /// - Throws: `ModuleLoadError`.
  public static func load(
    path: String, origin: String? = nil, module: String
  ) throws(ModuleLoadError) -> LoadedModule {
    let name = origin ?? path
    try LibraryCheck(name: name, module: module).check(path)
    // The loader would search for a path without a slash in the system's folders.
    let full = path.utf8.contains(UInt8(ascii: "/")) ? path : "./\(path)"
    guard let handle = dlopen(full, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw ModuleLoadError(
        .link, "\"\(name)\" can't be loaded: something that it needs is missing.",
        cause: dlerror().map { String(cString: $0).replacing(full, with: name) })
    }
    guard let symbol = dlsym(handle, AGENT_MODULE_SYMBOL) else { throw .noEntry(name) }
    let entry = unsafeBitCast(symbol, to: agent_module_entry.self)
    guard let descriptor = entry() else {
      throw ModuleLoadError(
        .descriptor, "\"\(name)\" refused to load: agent_module_v1 returned nothing.")
    }
    return try LoadedModule(descriptor, path: path, module: module)
  }

  /// Reads a descriptor of a module that is linked into the program or part of a test.
  public init(
    _ descriptor: UnsafePointer<agent_module_descriptor_v1>, path: String, module: String
  ) throws(ModuleLoadError) {
    let abi = descriptor.pointee.abi
    guard abi == AGENT_ABI else {
      throw ModuleLoadError(
        .abi,
        "The module \(module) speaks ABI \(abi); this host speaks \(AGENT_ABI). Recompile it with "
          + "this host's SDK: `agent build \(module)`.")
    }
    let reader = DescriptorReader(descriptor, module: module)
    self.descriptor = descriptor
    self.abi = abi
    name = try reader.text(descriptor.pointee.name, "name")
    version = try reader.text(descriptor.pointee.version, "version")
    tables = try reader.tables()
    contributions = tables.map { ContributionEntry(kind: $0.kind, name: $0.name) }
  }

  /// Creates an instance of a contribution. `settings` is a JSON object. [module-thread]
  public func create(
    _ entry: ContributionEntry, settings: [UInt8], services: any HostServices,
    extensions: Set<String> = HostTable.extensions
  ) throws(ModuleFailure) -> ContributionInstance {
    guard let table = tables.first(where: { $0.kind == entry.kind && $0.name == entry.name }) else {
      throw ModuleFailure(
        .invalidArgument, "The module \(name) doesn't contribute \"\(entry.name)\".")
    }
    return try ContributionInstance(
      table: table, settings: settings, services: services, extensions: extensions)
  }

  /// Asks the module whether it is alive. `alive` is called on any thread, and at once if the
  /// module has no probe. [module-thread]
  public func ping(_ alive: @escaping @Sendable () -> Void) {
    let end = MemoryLayout.offset(of: \agent_module_descriptor_v1.ping) ?? .max
    let size = Int(descriptor.pointee.size)
    guard size >= end + MemoryLayout<UnsafeRawPointer>.size, let ping = descriptor.pointee.ping
    else { return alive() }
    ping(Completions.make { _, _ in alive() })
  }
}
