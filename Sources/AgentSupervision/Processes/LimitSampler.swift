import Glibc

/// Samples the resources of children and finds exceeded limits.
struct LimitSampler {
  /// A child with sampled limits.
  struct Target {
    let id: UInt64
    let pid: Int32
    let limits: ChildLimits
  }

  /// The resources of a child and its descendants.
  struct Usage: Equatable {
    var memory: Int
    /// Clock ticks.
    var ticks: Int
    var processes: Int
    var threads = 0
  }

  private struct Sample {
    let at: LoopInstant
    let ticks: Int
  }

  /// The memory of a family that its resident pages don't include, and its usage without that
  /// memory at the same time.
  private struct Unseen {
    let beside: Usage
    let bytes: Int
  }

  /// The children that are the roots of process families.
  private let known: KnownChildren
  private var census: ProcessCensus?
  private var families: [UInt64: [Int32]] = [:]
  private var samples: [UInt64: [Sample]] = [:]
  private var unseen: [UInt64: Unseen] = [:]
  /// The targets of which a part of the memory couldn't be read at the last look.
  private var unreadable: Set<UInt64> = []

  init(known: KnownChildren = .ofThisProcess) { self.known = known }

  /// Takes a sample of each target and returns a message for each exceeded limit. It reads only the
  /// targets' own processes while no process has started or ended on the machine.
  mutating func sample(_ targets: [Target], at now: LoopInstant) -> [(id: UInt64, String)] {
    forgetOthers(targets)
    let usages = measure(targets)
    return targets.compactMap { target in
      guard let usage = usages[target.id] else { return nil }
      return check(usage, of: target, at: now).map { (target.id, $0) }
    }
  }

  /// Returns a message if a child exceeds a limit.
  mutating func check(_ usage: Usage, of target: Target, at now: LoopInstant) -> String? {
    let limits = target.limits
    let share = cpuShare(usage.ticks, of: target, at: now)
    if let limit = limits.memory, usage.memory >= MappedFiles.unknown {
      return "had memory that can't be counted; limits.memory allows \(Self.megabytes(limit))"
    }
    if let limit = limits.memory, usage.memory > limit {
      return "used \(Self.megabytes(usage.memory)) of memory; "
        + "limits.memory allows \(Self.megabytes(limit))"
    }
    if let limit = limits.processes, usage.processes > limit {
      return "had \(usage.processes) processes; limits.processes allows \(limit)"
    }
    if let limit = limits.threads, usage.threads > limit {
      return "had \(usage.threads) threads; a worker may have \(limit)"
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
    let isUnchanged = census != nil && census == self.census
    self.census = census
    let (whole, alone) = targets.split { $0.limits.countsFamily }
    let isNew = whole.contains { families[$0.id] == nil }
    var usages = !whole.isEmpty && (!isUnchanged || isNew) ? scan(whole) : look(at: whole)
    // Only threads are counted. Their number can't have changed if none has started or ended
    // anywhere.
    guard !isUnchanged else { return usages }
    for target in alone {
      usages[target.id] = ProcessStat.read(target.pid).map { usage(of: [$0], target) }
    }
    return usages
  }

  private mutating func look(at targets: [Target]) -> [UInt64: Usage] {
    var usages: [UInt64: Usage] = [:]
    for target in targets {
      let family = families[target.id, default: []].compactMap { ProcessStat.read($0) }
      usages[target.id] = usage(of: family, target)
    }
    return usages
  }

  private mutating func scan(_ targets: [Target]) -> [UInt64: Usage] {
    let table = ProcessTable.scan()
    var usages: [UInt64: Usage] = [:]
    for target in targets {
      let family = table.family(of: target.pid, isOther: known.contains)
      families[target.id] = family.map(\.pid)
      usages[target.id] = usage(of: family, target)
    }
    return usages
  }

  /// Returns the usage of a family of processes, with the memory that resident pages don't include.
  mutating func usage(of family: [ProcessStat], _ target: Target) -> Usage {
    var usage = Self.usage(of: family)
    guard target.limits.memory != nil else { return usage }
    // A family that has used no tick of the processor has made nothing worth a count. To read all
    // its mappings takes more time than the rest of a sample.
    if let before = unseen[target.id], before.beside == usage {
      usage.memory &+= before.bytes
      return usage
    }
    guard let bytes = Self.unseenMemory(of: family) else {
      unseen[target.id] = nil
      // At the second look. The first may come while a process changes its program or ends.
      if !unreadable.insert(target.id).inserted { usage.memory &+= MappedFiles.unknown }
      return usage
    }
    unreadable.remove(target.id)
    unseen[target.id] = Unseen(beside: usage, bytes: bytes)
    usage.memory &+= bytes
    return usage
  }

  /// Returns the memory of a family that its resident pages don't include. `nil` means that a process
  /// keeps its own from the host.
  private static func unseenMemory(of family: [ProcessStat]) -> Int? {
    guard !family.contains(where: \.isHidden) else { return nil }
    var known: Set<MemoryFiles.Identity> = []
    var bytes = family.reduce(0) { $0 &+ MemoryFiles.bytes(of: $1.thread, butFor: &known) }
    // The files of descriptors come first, because everybody may see their size.
    for process in family {
      guard let mapped = MappedFiles.bytes(of: process.thread, butFor: &known) else { return nil }
      bytes &+= mapped
    }
    guard bytes > 0 else { return 0 }
    return max(0, bytes &- family.reduce(0) { $0 &+ MemoryFiles.resident(of: $1.thread) })
  }

  private mutating func forgetOthers(_ targets: [Target]) {
    let ids = Set(targets.map(\.id))
    families = families.filter { ids.contains($0.key) }
    samples = samples.filter { ids.contains($0.key) }
    unseen = unseen.filter { ids.contains($0.key) }
    unreadable.formIntersection(ids)
  }

  static func usage(of family: [ProcessStat]) -> Usage {
    family.reduce(into: Usage(memory: 0, ticks: 0, processes: 0)) { usage, process in
      usage.memory += process.resident
      usage.ticks += process.ticks
      usage.processes += process.isZombie ? 0 : 1
      usage.threads += process.isZombie ? 0 : process.threads
    }
  }

  /// Returns the share of one core over the window. `nil` means that the window isn't full yet.
  private mutating func cpuShare(
    _ ticks: Int, of target: Target, at now: LoopInstant
  ) -> Double? {
    guard target.limits.cpu != nil else { return nil }
    var history = samples[target.id, default: []]
    defer { samples[target.id] = history }
    history.append(Sample(at: now, ticks: ticks))
    // The window begins with the newest sample that is at least as old as the window. Older samples
    // are removed.
    let window = target.limits.cpuWindow
    guard let first = history.lastIndex(where: { now - $0.at >= window }) else { return nil }
    history.removeFirst(first)
    guard let begin = history.first else { return nil }
    let elapsed = (now - begin.at).seconds
    guard elapsed > 0 else { return nil }
    return Double(ticks - begin.ticks) / Self.ticksPerSecond / elapsed
  }

  private static let ticksPerSecond = Double(sysconf(Int32(clamping: _SC_CLK_TCK)))

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10) KB" : "\(bytes >> 20) MB"
  }

  private static func percent(_ share: Double) -> String {
    "\(Int(min(max(share * 100, 0), 1e9).rounded())) %"
  }
}

extension Array {
  /// Splits the elements by a condition.
  fileprivate func split(_ isSo: (Element) -> Bool) -> (yes: [Element], no: [Element]) {
    reduce(into: ([], [])) { parts, element in
      if isSo(element) { parts.yes.append(element) } else { parts.no.append(element) }
    }
  }
}
