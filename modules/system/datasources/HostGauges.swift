import AgentKit

/// The machine's values among the host's own metrics, so that Prometheus has them without asking
/// for events. Ratios are 0 to 1, as its conventions ask for.
struct HostGauges: Sendable {
  private let metrics: Metrics
  private let health: Health

  init(_ host: AgentHost) {
    metrics = host.metrics
    health = host.health
  }

  /// Shows a reading, and what it says of the time since the one before.
  func show(_ now: HostSample, since earlier: HostSample, _ wanted: Set<Metric>) {
    if wanted.contains(.cpu), let cpu = now.cpu, let before = earlier.cpu,
      let usage = cpu.usage(since: before)
    {
      gauge("cpu_busy_ratio", "Share of all processors' time that was used.")
        .set(usage.busy / 100)
    }
    if wanted.contains(.load), let load = now.load {
      gauge("load_one", "Tasks that ran or waited, over a minute.").set(load.one)
    }
    if let memory = now.memory {
      if wanted.contains(.memory) {
        gauge("memory_used_bytes", "Memory that isn't available.").set(Double(memory.used))
        gauge("memory_total_bytes", "Memory of the machine.").set(Double(memory.total))
      }
      if wanted.contains(.swap) {
        gauge("swap_used_bytes", "Swap that is used.").set(Double(memory.swapUsed))
      }
    }
    if wanted.contains(.disks) {
      for disk in now.disks {
        gauge("disk_used_ratio", "How full a file system is.", labels: ["mount": disk.mount.path])
          .set(disk.usedPercent / 100)
      }
    }
    metrics.counter("samples_total", help: "Readings of the machine.").add()
    tell(now, wanted)
  }

  /// What was asked for and can't be read.
  private func tell(_ now: HostSample, _ wanted: Set<Metric>) {
    var missing: [String] = []
    if wanted.contains(.cpu), now.cpu == nil { missing.append("/proc/stat") }
    if wanted.contains(.load), now.load == nil { missing.append("/proc/loadavg") }
    if wanted.contains(.memory), now.memory == nil { missing.append("/proc/meminfo") }
    if missing.isEmpty {
      health.report(.ok)
    } else {
      health.report(
        .degraded,
        "\(missing.joined(separator: ", ")) can't be read: those values are missing.")
    }
  }

  private func gauge(_ name: String, _ help: String, labels: [String: String] = [:])
    -> Metrics.Gauge
  {
    metrics.gauge(name, help: help, labels: labels)
  }
}
