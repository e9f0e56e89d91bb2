internal import AgentJSON

/// What is remembered of a host's starts, so that one that can't live comes up in safe mode instead
/// of dying again and again. Pure: ``StartJournal`` keeps it in a file.
package struct StartRecord: Sendable, Hashable {
  /// One start of a host.
  struct Start: Sendable, Hashable {
    var pid: Int32
    /// Unix milliseconds.
    var at: Int64
    /// Which run of the machine it was in: what a power cut ended counts for nothing.
    var boot: String
    /// What was under way when the host was heard of last.
    var step = ""
    /// Why it ended, where it could still say so.
    var reason: String?
  }

  /// How long a host must run for its end not to count, in seconds.
  package static let period = 60
  /// How many starts are remembered.
  private static let most = 10

  /// The starts in a row that ended within the period without having been asked to.
  private(set) var failed: [Start] = []
  /// The start that is under way, until it has lasted or was ended.
  private(set) var current: Start?

  /// Nobody runs now: a start that is noted as under way has died.
  /// - Parameter boot: which run of the machine this is.
  mutating func settle(boot: String) {
    if let current { failed.append(current) }
    current = nil
    failed = failed.filter { $0.boot == boot }.suffix(Self.most)
  }

  /// A start begins.
  mutating func begin(_ start: Start) {
    settle(boot: start.boot)
    current = start
  }

  /// The step that the host before this one was at when it died.
  mutating func note(step: String) { current?.step = step }

  /// The host ends because something keeps it from running.
  mutating func failed(because reason: String) { current?.reason = reason }

  /// The host has run for so long that it can live, or somebody ended it: its end won't count.
  mutating func clear() { self = StartRecord() }

  /// Whether so many starts in a row failed; 0: never.
  func isLoop(after limit: Int) -> Bool { limit > 0 && failed.count >= limit }
}

extension StartRecord {
  /// What a file says; nothing is remembered where that can't be read.
  init(json: JSONValue) {
    failed = (json["failed"]?.array ?? []).compactMap(Start.init(json:))
    current = json["current"].flatMap(Start.init(json:))
  }

  var json: JSONValue {
    ["failed": .array(failed.map(\.json)), "current": current?.json ?? .null]
  }
}

extension StartRecord.Start {
  init?(json: JSONValue) {
    guard let pid = json["pid"]?.int.flatMap({ Int32(exactly: $0) }),
      let at = json["at"]?.int, let boot = json["boot"]?.string
    else { return nil }
    self.init(
      pid: pid, at: Int64(at), boot: boot, step: json["step"]?.string ?? "",
      reason: json["reason"]?.string)
  }

  var json: JSONValue {
    [
      "pid": JSONValue(Int(pid)), "at": JSONValue(at), "boot": .string(boot),
      "step": .string(step), "reason": reason.map { .string($0) } ?? .null,
    ]
  }

  /// Where and how it ended, as a sentence.
  var sentence: String {
    if let reason { return reason }
    return step.isEmpty
      ? "The step in progress is unknown." : "It died during this step: \(step)."
  }
}
