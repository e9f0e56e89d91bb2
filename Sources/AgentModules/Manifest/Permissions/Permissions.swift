/// The permissions of a module outside its folder. It has none unless its manifest names them.
public struct Permissions: Sendable, Hashable {
  /// The network access of a module.
  public enum Network: Sendable, Hashable {
    /// The host fetches from these origins for the module. An empty list means no access.
    case origins([String])
    /// The module opens sockets itself, to any address.
    case any
  }

  /// The network access.
  public var network: Network
  /// The files and folders that the module may read.
  public var read: [String]
  /// The files and folders that the module may write.
  public var write: [String]
  /// The programs that the module may start.
  public var run: [String]

  /// Creates permissions. The defaults grant nothing.
  public init(
    network: Network = .origins([]), read: [String] = [], write: [String] = [], run: [String] = []
  ) {
    self.network = network
    self.read = read
    self.write = write
    self.run = run
  }

  /// Returns the union of both permissions.
  public func union(_ other: Permissions) -> Permissions {
    func both(_ first: [String], _ second: [String]) -> [String] {
      first + second.filter { !first.contains($0) }
    }
    let network: Network =
      switch (network, other.network) {
      case (.origins(let first), .origins(let second)): .origins(both(first, second))
      default: .any
      }
    return Permissions(
      network: network, read: both(read, other.read), write: both(write, other.write),
      run: both(run, other.run))
  }
}

/// The requirements of a module.
public struct ModuleRequirements: Sendable, Hashable {
  /// The required modules, by name.
  public var modules: [String: VersionRange]
  /// The required Debian packages.
  public var packages: [String]
  /// The required versions of the host.
  public var host: VersionRange

  /// Creates requirements. The defaults require nothing.
  public init(
    modules: [String: VersionRange] = [:], packages: [String] = [], host: VersionRange = .any
  ) {
    self.modules = modules
    self.packages = packages
    self.host = host
  }
}
