import Glibc

/// What is measured.
enum Metric: String, CaseIterable, Codable, Sendable {
  case cpu, load, memory, swap, disks, network, processes
}

/// One reading of the machine. A value that can't be read is missing.
struct HostSample: Sendable {
  var time: Int64
  var cpu: CPUTimes?
  var load: Load?
  var memory: Memory?
  var disks: [DiskUsage] = []
  var traffic: [Traffic] = []
  var processes: [ProcessTimes] = []

  init(time: Int64) {
    self.time = time
  }

  /// Reads what is asked for from `/proc`.
  init(time: Int64, metrics: Set<Metric>, mounts: [String], interfaces: [String]) {
    self.init(time: time)
    // Shares of processes are reckoned in ticks of the processors.
    if metrics.contains(.cpu) || metrics.contains(.processes) || metrics.contains(.load) {
      cpu = text(of: "/proc/stat").flatMap { CPUTimes($0) }
    }
    if metrics.contains(.load) { load = text(of: "/proc/loadavg").flatMap { Load($0) } }
    if metrics.contains(.memory) || metrics.contains(.swap) {
      memory = text(of: "/proc/meminfo").flatMap { Memory($0) }
    }
    if metrics.contains(.disks) { disks = Self.disks(mounts) }
    if metrics.contains(.network) {
      traffic = Traffic.all(text(of: "/proc/net/dev") ?? "").filter {
        interfaces.isEmpty ? $0.name != "lo" : interfaces.contains($0.name)
      }
    }
    if metrics.contains(.processes) {
      processes = names(in: "/proc").filter { Int($0) != nil }
        .compactMap { text(of: "/proc/\($0)/stat").flatMap { ProcessTimes($0) } }
    }
  }

  private static func disks(_ wanted: [String]) -> [DiskUsage] {
    let mounts = Mount.all(text(of: "/proc/self/mounts") ?? "")
    guard !wanted.isEmpty else { return mounts.compactMap { DiskUsage($0) } }
    return wanted.compactMap { path in
      DiskUsage(Mount(device: mounts.first { $0.path == path }?.device ?? "", path: path))
    }
  }
}
