import AgentKit

/// Says how the machine does: load, memory, swap and disks, each against two bounds.
struct SystemHealth: Action {
  static let name = "system_health"

  /// Bounds from which a value is a warning, or critical.
  struct Settings: Codable, Sendable {}

  /// The measured values and their bounds. A missing one is as the manifest says.
  struct Input: Codable, Sendable {
    var warning: Bounds?
    var critical: Bounds?
    var mounts: [String]?
  }

  /// The bounds by the name of the value; nil for none.
  struct Bounds: Codable, Sendable {
    var load: Double?
    var memory: Double?
    var swap: Double?
    var disk: Double?

    private enum CodingKeys: String, CodingKey {
      case load = "load_per_cpu"
      case memory = "memory_percent"
      case swap = "swap_percent"
      case disk = "disk_percent"
    }

    static let warning = Bounds(load: 2, memory: 85, swap: 60, disk: 85)
    static let critical = Bounds(load: 5, memory: 95, swap: 90, disk: 95)

    /// Missing bounds are taken from others.
    func completed(by others: Bounds) -> Bounds {
      Bounds(
        load: load ?? others.load, memory: memory ?? others.memory, swap: swap ?? others.swap,
        disk: disk ?? others.disk)
    }
  }

  private let host: AgentHost

  init(settings: Settings, host: AgentHost) { self.host = host }

  func perform(_ input: Input, progress: ActionProgress) async throws -> HealthFindings {
    let sample = HostSample(
      time: host.now, metrics: [.load, .memory, .swap, .disks], mounts: input.mounts ?? [],
      interfaces: [])
    return HealthFindings(
      sample, warning: (input.warning ?? Bounds()).completed(by: .warning),
      critical: (input.critical ?? Bounds()).completed(by: .critical))
  }
}

/// What was found, the worst value deciding on the whole.
struct HealthFindings: Codable, Sendable {
  enum Status: String, Codable, Sendable, Comparable {
    case ok, warning, critical

    private var rank: Int { self == .ok ? 0 : self == .warning ? 1 : 2 }
    static func < (one: Status, other: Status) -> Bool { one.rank < other.rank }
  }

  /// One value.
  struct Check: Codable, Sendable {
    let name: String
    let status: Status
    let value: Double
    let warning: Double?
    let critical: Double?
  }

  let status: Status
  /// A sentence for people.
  let summary: String
  let timestamp: Int64
  let checks: [Check]
  /// What can't be read.
  let missing: [String]

  init(_ sample: HostSample, warning: SystemHealth.Bounds, critical: SystemHealth.Bounds) {
    var checks: [Check] = []
    var missing: [String] = []
    func add(_ name: String, _ value: Double?, bounds: (Double?, Double?)) {
      guard let value, value.isFinite else { return missing.append(name) }
      let status: Status =
        bounds.1.map { value >= $0 } == true
        ? .critical : bounds.0.map { value >= $0 } == true ? .warning : .ok
      checks.append(
        Check(name: name, status: status, value: value, warning: bounds.0, critical: bounds.1))
    }
    let cpus = sample.cpu.map { Double(max(1, $0.count)) }
    add(
      "load_per_cpu", sample.load.flatMap { load in cpus.map { load.one / $0 } },
      bounds: (warning.load, critical.load))
    add(
      "memory_percent", sample.memory.map { Self.percent($0.used, of: $0.total) },
      bounds: (warning.memory, critical.memory))
    add(
      "swap_percent", sample.memory.map { Self.percent($0.swapUsed, of: $0.swapTotal) },
      bounds: (warning.swap, critical.swap))
    for disk in sample.disks {
      add("disk \(disk.mount.path)", disk.usedPercent, bounds: (warning.disk, critical.disk))
    }
    self.checks = checks
    self.missing = missing
    timestamp = sample.time
    status = checks.map(\.status).max() ?? (missing.isEmpty ? .ok : .warning)
    summary = Self.summary(checks, missing)
  }

  private static func percent(_ part: UInt64, of whole: UInt64) -> Double {
    whole == 0 ? 0 : Double(part) / Double(whole) * 100
  }

  private static func summary(_ checks: [Check], _ missing: [String]) -> String {
    let bad = checks.filter { $0.status > .ok }.sorted { $0.status > $1.status }
    var parts = bad.map { check in
      let tenths = (check.value * 10).rounded() / 10
      return "\(check.name) is \(tenths), which is \(check.status.rawValue)."
    }
    if !missing.isEmpty { parts.append("Not readable: \(missing.joined(separator: ", ")).") }
    return parts.isEmpty ? "All is well." : parts.joined(separator: " ")
  }
}
