/// The permissions of a module outside its folder; none unless its manifest names them.
public struct Permissions: Sendable, Hashable {
  /// The network as a module gets it.
  public enum Network: Sendable, Hashable {
    /// The host fetches from these origins for it; none when empty.
    case origins([String])
    /// Sockets of its own, to anywhere.
    case any
  }

  /// The network that it gets.
  public var network: Network
  /// Files and folders that it may read.
  public var read: [String]
  /// Files and folders that it may write.
  public var write: [String]
  /// Programs that it may start.
  public var run: [String]

  /// Nothing unless given.
  public init(
    network: Network = .origins([]), read: [String] = [], write: [String] = [], run: [String] = []
  ) {
    self.network = network
    self.read = read
    self.write = write
    self.run = run
  }

  /// The permissions of both.
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

/// The requirements of a module on its environment.
public struct ModuleRequirements: Sendable, Hashable {
  /// Other modules, by name.
  public var modules: [String: VersionRange]
  /// Debian packages.
  public var packages: [String]
  /// Versions of the host.
  public var host: VersionRange

  /// Nothing unless given.
  public init(
    modules: [String: VersionRange] = [:], packages: [String] = [], host: VersionRange = .any
  ) {
    self.modules = modules
    self.packages = packages
    self.host = host
  }
}
