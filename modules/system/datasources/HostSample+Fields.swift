import AgentKit

extension HostSample {
  /// The fields of the event, from this reading and the one before; README.md lists them.
  func fields(since earlier: HostSample, metrics: Set<Metric>, top: Int, pageSize: UInt64)
    -> JSONObject
  {
    var fields: JSONObject = ["interval_ms": JSONValue(max(time &- earlier.time, 0))]
    if metrics.contains(.cpu) { fields["cpu"] = cpuFields(since: earlier) }
    if metrics.contains(.load) { fields["load"] = loadFields }
    if metrics.contains(.memory) { fields["memory"] = memoryFields }
    if metrics.contains(.swap) { fields["swap"] = swapFields }
    if metrics.contains(.disks), !disks.isEmpty {
      fields["disks"] = .array(disks.map(\.json))
      fields["disk"] = disks.max { $0.usedPercent < $1.usedPercent }?.json
    }
    if metrics.contains(.network) { fields["network"] = networkFields(since: earlier) }
    if metrics.contains(.processes) {
      fields["processes"] = processFields(since: earlier, top: top, pageSize: pageSize)
    }
    return fields
  }

  private func cpuFields(since earlier: HostSample) -> JSONValue? {
    guard let cpu, let before = earlier.cpu, let usage = cpu.usage(since: before) else {
      return nil
    }
    return [
      "busy": tenths(usage.busy), "user": tenths(usage.user), "system": tenths(usage.system),
      "waiting": tenths(usage.waiting), "stolen": tenths(usage.stolen),
      "count": JSONValue(cpu.count),
    ]
  }

  private var loadFields: JSONValue? {
    guard let load else { return nil }
    var fields: JSONObject = [
      "one": JSONValue(load.one), "five": JSONValue(load.five), "fifteen": JSONValue(load.fifteen),
    ]
    if let count = cpu?.count, count > 0 {
      fields["per_cpu"] = JSONValue((load.one / Double(count) * 100).rounded() / 100)
    }
    return .object(fields)
  }

  private var memoryFields: JSONValue? {
    guard let memory else { return nil }
    return [
      "total": JSONValue(memory.total), "available": JSONValue(memory.available),
      "used": JSONValue(memory.used), "used_percent": percent(memory.used, of: memory.total),
    ]
  }

  private var swapFields: JSONValue? {
    guard let memory else { return nil }
    return [
      "total": JSONValue(memory.swapTotal), "used": JSONValue(memory.swapUsed),
      "used_percent": percent(memory.swapUsed, of: memory.swapTotal),
    ]
  }

  private func networkFields(since earlier: HostSample) -> JSONValue {
    let seconds = Double(max(time &- earlier.time, 1)) / 1000
    let before = Dictionary(earlier.traffic.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var total = (received: 0.0, sent: 0.0)
    let interfaces = traffic.map { now -> JSONValue in
      let then = before[now.name] ?? now
      let received = Double(now.received.since(then.received)) / seconds
      let sent = Double(now.sent.since(then.sent)) / seconds
      total = (total.received + received, total.sent + sent)
      return [
        "name": .string(now.name), "received_per_second": whole(received),
        "sent_per_second": whole(sent),
      ]
    }
    return [
      "received_per_second": whole(total.received), "sent_per_second": whole(total.sent),
      "interfaces": .array(interfaces),
    ]
  }

  private func processFields(since earlier: HostSample, top: Int, pageSize: UInt64) -> JSONValue {
    let ticks = cpu.flatMap { cpu in earlier.cpu.map { cpu.total.since($0.total) } } ?? 0
    let busiest = BusyProcess.top(
      top, of: processes, since: earlier.processes, ticks: ticks, processors: cpu?.count ?? 1,
      pageSize: pageSize)
    return [
      "count": JSONValue(processes.count),
      "top": .array(
        busiest.map { process in
          [
            "pid": JSONValue(process.pid), "name": .string(process.name),
            "cpu": tenths(process.cpu), "memory": JSONValue(process.memory),
          ]
        }),
    ]
  }
}

extension DiskUsage {
  fileprivate var json: JSONValue {
    [
      "mount": .string(mount.path), "device": .string(mount.device), "total": JSONValue(total),
      "available": JSONValue(available), "used_percent": tenths(usedPercent),
    ]
  }
}

/// To one digit: more would be noise.
private func tenths(_ value: Double) -> JSONValue {
  JSONValue((value * 10).rounded() / 10)
}

private func whole(_ value: Double) -> JSONValue {
  JSONValue(Int(min(value.rounded(), 1e18)))
}

private func percent(_ part: UInt64, of whole: UInt64) -> JSONValue {
  tenths(whole == 0 ? 0 : Double(part) / Double(whole) * 100)
}
