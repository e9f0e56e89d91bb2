import Glibc

/// Samples what children use, and says which limit was exceeded.
struct LimitSampler {
  /// A child whose limits are watched.
  struct Target {
    let id: UInt64
    let pid: Int32
    let limits: ChildLimits
  }

  /// What a child and its descendants use.
  struct Usage: Equatable {
    var memory: Int
    /// Clock ticks.
    var ticks: Int
    var processes: Int
  }

  private struct Sample {
    let at: LoopInstant
    let ticks: Int
  }

  private var census: ProcessCensus?
  private var families: [UInt64: [Int32]] = [:]
  private var samples: [UInt64: [Sample]] = [:]

  /// Takes a sample of each target and returns a message for each that is above a limit. While no
  /// process has begun or ended anywhere, only the targets' own processes are looked at.
  mutating func sample(_ targets: [Target], at now: LoopInstant) -> [(id: UInt64, String)] {
    forgetOthers(targets)
    let usages = measure(targets)
    return targets.compactMap { target in
      guard let usage = usages[target.id] else { return nil }
      return check(usage, of: target, at: now).map { (target.id, $0) }
    }
  }

  /// The message when a child is above a limit.
  mutating func check(_ usage: Usage, of target: Target, at now: LoopInstant) -> String? {
    let limits = target.limits
    let share = cpuShare(usage.ticks, of: target, at: now)
    if let limit = limits.memory, usage.memory > limit {
      return "used \(Self.megabytes(usage.memory)) of memory; "
        + "limits.memory allows \(Self.megabytes(limit))"
    }
    if let limit = limits.processes, usage.processes > limit {
      return "had \(usage.processes) processes; limits.processes allows \(limit)"
    }
    if let limit = limits.cpu, let share, share > limit {
      return "used \(Self.percent(share)) of a core over \(limits.cpuWindow.forPeople); "
        + "limits.cpu allows \(Self.percent(limit))"
    }
    return nil
  }

  // MARK: Measuring

  private mutating func measure(_ targets: [Target]) -> [UInt64: Usage] {
    let census = ProcessCensus.read()
    let isNew = targets.contains { families[$0.id] == nil }
    if census == nil || census != self.census || isNew {
      self.census = census
      return scan(targets)
    }
    return targets.reduce(into: [:]) { usages, target in
      let family = families[target.id, default: []].compactMap(ProcessStat.read)
      usages[target.id] = Self.usage(of: family)
    }
  }

  private mutating func scan(_ targets: [Target]) -> [UInt64: Usage] {
    let table = ProcessTable.scan()
    return targets.reduce(into: [:]) { usages, target in
      let family = table.family(of: target.pid)
      families[target.id] = family.map(\.pid)
      usages[target.id] = Self.usage(of: family)
    }
  }

  private mutating func forgetOthers(_ targets: [Target]) {
    let ids = Set(targets.map(\.id))
    families = families.filter { ids.contains($0.key) }
    samples = samples.filter { ids.contains($0.key) }
  }

  static func usage(of family: [ProcessStat]) -> Usage {
    family.reduce(into: Usage(memory: 0, ticks: 0, processes: 0)) { usage, process in
      usage.memory += process.resident
      usage.ticks += process.ticks
      usage.processes += process.isZombie ? 0 : 1
    }
  }

  /// The share of one core over the window; `nil` until the window is full.
  private mutating func cpuShare(
    _ ticks: Int, of target: Target, at now: LoopInstant
  ) -> Double? {
    guard target.limits.cpu != nil else { return nil }
    var history = samples[target.id, default: []]
    defer { samples[target.id] = history }
    history.append(Sample(at: now, ticks: ticks))
    // The newest sample that is at least a window old begins the window; older ones go.
    let window = target.limits.cpuWindow
    guard let first = history.lastIndex(where: { now - $0.at >= window }) else { return nil }
    history.removeFirst(first)
    let elapsed = (now - history[0].at).seconds
    guard elapsed > 0 else { return nil }
    return Double(ticks - history[0].ticks) / Self.ticksPerSecond / elapsed
  }

  private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10) KB" : "\(bytes >> 20) MB"
  }

  private static func percent(_ share: Double) -> String {
    "\(Int(min(max(share * 100, 0), 1e9).rounded())) %"
  }
}
