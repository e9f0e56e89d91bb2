/// What `/proc/PID/stat` says of one process.
struct ProcessTimes: Equatable, Sendable {
  var pid: Int
  var name: String
  /// When it began, in ticks since the machine's start: with the number it tells processes apart.
  ///
  /// Rationale: the name doesn't. Threads of the kernel change theirs all the time, and so may
  /// everybody.
  var start: UInt64
  /// Processor time in ticks, user and system.
  var ticks: UInt64
  /// Resident memory in pages.
  var pages: UInt64

  /// Reads the text of `/proc/PID/stat`. The name stands in parentheses and may hold anything, also
  /// blanks and parentheses: what counts is the last one.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
      let pid = text[..<open].words.first.flatMap({ Int($0) })
    else { return nil }
    // From field 3 on, so that field n of proc_pid_stat(5) is at n - 3.
    let fields = text[text.index(after: close)...].words
    guard fields.count > 21, let user = UInt64(fields[11]), let system = UInt64(fields[12]),
      let start = UInt64(fields[19])
    else { return nil }
    self.pid = pid
    self.name = String(text[text.index(after: open)..<close])
    self.start = start
    self.ticks = user &+ system
    self.pages = UInt64(fields[21]) ?? 0
  }
}

/// How busy a process was.
struct BusyProcess: Equatable, Sendable {
  var pid: Int
  var name: String
  /// In percent of one processor.
  var cpu: Double
  /// Resident memory in bytes.
  var memory: UInt64

  /// The busiest since an earlier reading, the busiest first; of equally busy ones the largest.
  static func top(
    _ count: Int, of now: [ProcessTimes], since earlier: [ProcessTimes], ticks: UInt64,
    processors: Int, pageSize: UInt64
  ) -> [BusyProcess] {
    let before = Dictionary(earlier.map { ($0.pid, $0) }, uniquingKeysWith: { first, _ in first })
    let perProcessor = Double(ticks) / Double(max(processors, 1))
    let all = now.map { process in
      // A process that is new, or has the number of one that ended, has done all of it since.
      let known = before[process.pid].flatMap { $0.start == process.start ? $0.ticks : nil } ?? 0
      let spent = process.ticks.since(known)
      return BusyProcess(
        pid: process.pid, name: process.name,
        cpu: perProcessor > 0 ? Double(spent) / perProcessor * 100 : 0,
        memory: process.pages &* pageSize)
    }
    return Array(all.sorted { ($0.cpu, $0.memory) > ($1.cpu, $1.memory) }.prefix(count))
  }
}
