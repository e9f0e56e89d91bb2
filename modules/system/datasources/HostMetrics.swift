import AgentKit
import Glibc

/// Publishes the values of this machine at each interval.
struct HostMetrics: Datasource {
  struct Settings: Decodable, Sendable {
    var interval: Int
    var metrics: [Metric]
    var top: Int
    var mounts: [String]
    var interfaces: [String]
    var eventType: String

    enum CodingKeys: String, CodingKey {
      case interval = "interval_seconds"
      case metrics, mounts, interfaces
      case top = "top_processes"
      case eventType = "event_type"
    }
  }

  static let name = "host_metrics"

  private let settings: Settings
  private let host: AgentHost
  private let metrics: Set<Metric>
  private let gauges: HostGauges

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
    self.metrics = Set(settings.metrics)
    self.gauges = HostGauges(host)
  }

  func run() async throws {
    var earlier = sample()
    // Shares and rates need two readings; the first pair is close so that there soon is a value.
    try await host.sleep(for: .milliseconds(500))
    while true {
      let now = sample()
      gauges.show(now, since: earlier, metrics)
      try await host.events.publish(event(now, since: earlier))
      earlier = now
      try await host.sleep(for: .seconds(settings.interval))
    }
  }

  private func sample() -> HostSample {
    HostSample(
      time: host.now, metrics: metrics, mounts: settings.mounts, interfaces: settings.interfaces)
  }

  private func event(_ now: HostSample, since earlier: HostSample) -> Event {
    let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))
    let fields = now.fields(
      since: earlier, metrics: metrics, top: settings.top, pageSize: pageSize)
    return Event(settings.eventType, timestamp: now.time, fields: fields)
  }
}
