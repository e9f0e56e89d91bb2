import AgentKit

/// Says in words what an event's values mean.
struct StatusText {
  private let event: Event

  init(_ event: Event) {
    self.event = event
  }

  /// A few sentences; `nil` when the values for it are missing.
  func about(_ topic: Topic) -> String? {
    switch topic {
    case .overall: overall
    case .cpu: cpu
    case .memory: memory
    case .disks: disk
    case .network: network
    case .processes: processes
    }
  }

  private var overall: String? {
    let verdict = event["cpu.busy"]?.double.map { "The machine is \(Self.verdict($0))." }
    let parts = [verdict, cpu, memory, disk, processes].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  static func verdict(_ busy: Double) -> String {
    switch busy {
    case ..<10: "mostly idle"
    case ..<50: "moderately busy"
    case ..<85: "busy"
    default: "very busy"
    }
  }

  private var cpu: String? {
    let busy = event["cpu.busy"]?.double.map { busy in
      let count = event["cpu.count"]?.int ?? 0
      return "CPU \(plain(busy)) %" + (count > 0 ? " of \(count)" : "")
    }
    let load = event["load.one"]?.double.map { "load \(plain($0))" }
    let parts = [busy, load].compactMap { $0 }
    return parts.isEmpty ? nil : Self.sentence(parts)
  }

  private var memory: String? {
    guard let used = event["memory.used_percent"]?.double else { return nil }
    var parts = ["memory \(plain(used)) %"]
    if let total = event["memory.total"]?.double { parts[0] += " of \(Self.bytes(total))" }
    if let swap = event["swap.used_percent"]?.double, swap > 0 {
      parts.append("swap \(plain(swap)) %")
    }
    return Self.sentence(parts)
  }

  private var disk: String? {
    guard let used = event["disk.used_percent"]?.double, let mount = event["disk.mount"]?.string,
      let available = event["disk.available"]?.double
    else { return nil }
    return "Fullest disk \(mount): \(plain(used)) % used, \(Self.bytes(available)) left."
  }

  private var network: String? {
    guard let received = event["network.received_per_second"]?.double,
      let sent = event["network.sent_per_second"]?.double
    else { return nil }
    return "Network: \(Self.bytes(received))/s in, \(Self.bytes(sent))/s out."
  }

  private var processes: String? {
    guard let top = event["processes.top"]?.array, !top.isEmpty else { return nil }
    let busiest = top.prefix(3).compactMap { process -> String? in
      guard let name = process["name"]?.string, let cpu = process["cpu"]?.double else { return nil }
      return "\(name) \(plain(cpu)) %"
    }
    return busiest.isEmpty ? nil : "Busiest: \(busiest.joined(separator: ", "))."
  }

  private static func sentence(_ parts: [String]) -> String {
    let text = parts.joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Bytes for people, in steps of 1024.
  static func bytes(_ value: Double) -> String {
    var value = value
    var unit = 0
    let units = ["B", "KB", "MB", "GB", "TB", "PB"]
    while value >= 1024, unit + 1 < units.count {
      value /= 1024
      unit += 1
    }
    return "\(plain(value)) \(units[unit])"
  }
}
