internal import AgentJSON
internal import AgentSettings

/// The recent starts of a host. If a host ends soon after each start, the next one starts in safe
/// mode. It is pure: ``StartJournal`` stores it in a file.
package struct StartRecord: Sendable, Hashable {
  /// A start of a host.
  struct Start: Sendable, Hashable {
    var pid: Int32
    /// The time, in Unix milliseconds.
    var at: Int64
    /// The boot id of the machine. Starts before the machine's last boot don't count.
    var boot: String
    /// The last recorded step.
    var step = ""
    /// The reason for the end. `nil` if the host couldn't record one.
    var reason: String?
    /// Whether the host ended because its settings have errors.
    var isOfSettings = false
  }

  /// The step of a host that reads its settings and manifests.
  package static let readingStep = "the reading of the settings"

  /// The number of seconds that a host must run so that its end doesn't count.
  package static let period = 60
  /// The number of starts that are kept.
  private static let most = 10

  /// The consecutive starts that ended within ``period`` without a request.
  private(set) var failed: [Start] = []
  /// The current start. `nil` after it has lasted or was ended.
  private(set) var current: Start?
  /// The setting `supervision.safe_mode_after` when it was last read. It decides for a start that
  /// doesn't read the settings. `nil` if it was the default.
  private(set) var knownLimit: Int?

  /// Called when no host runs. A current start has therefore died and counts as failed.
  /// - Parameter boot: the machine's current boot id.
  mutating func settle(boot: String) {
    if let current { failed.append(current) }
    current = nil
    // Earlier boots don't count, because the reboot may have removed the cause.
    failed = failed.filter { $0.boot == boot }.suffix(Self.most)
  }

  /// Records a new start.
  mutating func begin(_ start: Start) {
    // A current start that wasn't settled has died. It must not be overwritten.
    settle(boot: start.boot)
    current = start
  }

  /// Records the last step of the earlier host.
  mutating func note(step: String) { current?.step = step }

  /// Records the reason why the host ends.
  /// - Parameter isOfSettings: whether it ends because its settings have errors.
  mutating func failed(because reason: String, isOfSettings: Bool = false) {
    current?.reason = reason
    current?.isOfSettings = isOfSettings
  }

  /// Forgets the starts, because the host has run for ``period`` or a person ended it.
  mutating func clear() { (failed, current) = ([], nil) }

  /// Records the setting `supervision.safe_mode_after`.
  mutating func know(limit: Int) {
    knownLimit = limit == SupervisionSettings().safeModeAfter ? nil : limit
  }

  /// Returns whether at least `limit` consecutive starts failed. A limit of 0 disables this.
  /// - Parameter settingsAreWrong: whether the settings have errors now. Once they have none, the
  ///   starts that they ended don't count, because somebody has removed the cause.
  package func isLoop(after limit: Int, settingsAreWrong: Bool) -> Bool {
    limit > 0 && failed.count { settingsAreWrong || !$0.isOfSettings } >= limit
  }

  /// The number of failed starts after which a start that doesn't read its settings is in safe mode.
  package var limitWithoutSettings: Int { knownLimit ?? SupervisionSettings().safeModeAfter }

  /// Whether the last host died while it read its settings, or couldn't read them in time.
  package var hasDiedReading: Bool {
    failed.last.map { !$0.isOfSettings && $0.step == Self.readingStep } ?? false
  }
}

extension StartRecord {
  /// Reads a record. Unreadable entries are left out.
  init(json: JSONValue) {
    failed = (json["failed"]?.array ?? []).compactMap(Start.init(json:))
    current = json["current"].flatMap(Start.init(json:))
    knownLimit = json["safe_mode_after"]?.int.flatMap { (0...100).contains($0) ? $0 : nil }
  }

  var json: JSONValue {
    [
      "failed": .array(failed.map(\.json)), "current": current?.json ?? .null,
      "safe_mode_after": knownLimit.map { JSONValue($0) } ?? .null,
    ]
  }
}

extension StartRecord.Start {
  init?(json: JSONValue) {
    guard let pid = json["pid"]?.int.flatMap({ Int32(exactly: $0) }),
      let at = json["at"]?.int, let boot = json["boot"]?.string
    else { return nil }
    self.init(
      pid: pid, at: Int64(at), boot: boot, step: json["step"]?.string ?? "",
      reason: json["reason"]?.string, isOfSettings: json["settings"]?.bool ?? false)
  }

  var json: JSONValue {
    [
      "pid": JSONValue(Int(pid)), "at": JSONValue(at), "boot": .string(boot),
      "step": .string(step), "reason": reason.map { .string($0) } ?? .null,
      "settings": .bool(isOfSettings),
    ]
  }

  /// The place and the reason of the failure, as a sentence.
  var sentence: String {
    if let reason { return reason }
    return step.isEmpty
      ? "The step in progress is unknown." : "It died during this step: \(step)."
  }
}
