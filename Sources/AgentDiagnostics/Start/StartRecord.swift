internal import AgentJSON

/// The recent starts of a host. A host that ends soon after each start comes up in safe mode
/// instead of dying again and again. Pure: ``StartJournal`` keeps it in a file.
package struct StartRecord: Sendable, Hashable {
  /// One start of a host.
  struct Start: Sendable, Hashable {
    var pid: Int32
    /// Unix milliseconds.
    var at: Int64
    /// Which run of the machine it was in: what a power cut ended counts for nothing.
    var boot: String
    /// The last step that the host had noted.
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
    // Only starts since the machine's last boot: a reboot may have cured what they died of.
    failed = failed.filter { $0.boot == boot }.suffix(Self.most)
  }

  /// A start begins.
  mutating func begin(_ start: Start) {
    // A start that was never settled has died, and must not be overwritten.
    settle(boot: start.boot)
    current = start
  }

  /// The step that the host before this one was at when it died.
  mutating func note(step: String) { current?.step = step }

  /// The host ends because something keeps it from running.
  mutating func failed(because reason: String) { current?.reason = reason }

  /// The host has run for a minute, or somebody ended it: the failed starts are forgotten.
  mutating func clear() { self = StartRecord() }

  /// Whether at least `limit` starts in a row failed. A limit of 0 switches this off.
  func isLoop(after limit: Int) -> Bool { limit > 0 && failed.count >= limit }
}

extension StartRecord {
  /// Reads a record. Unreadable entries are left out.
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
