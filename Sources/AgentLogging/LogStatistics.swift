/// What became of the records that a log has taken in.
package struct LogStatistics: Sendable, Hashable {
  /// How many of the newest warnings and errors are remembered.
  package static let maxRecent = 100
  /// How many bytes of the message of each.
  static let maxRecentMessage = 8 << 10

  /// Records that were taken, by the rank of their level.
  package var records = Array(repeating: 0, count: LogLevel.allCases.count)
  /// Records that came faster than they could be written, and are lost.
  package internal(set) var dropped = 0
  /// Records that wait to be written.
  package internal(set) var waiting = 0
  /// The files that can't be written at the moment, and why.
  package internal(set) var problems: [String: String] = [:]
  /// The newest warnings and errors, oldest first, without secrets.
  package internal(set) var recent: [LogRecord] = []

  mutating func remember(_ record: LogRecord) {
    if recent.count >= Self.maxRecent { recent.removeFirst(recent.count - Self.maxRecent + 1) }
    recent.append(record.cut(toBytes: Self.maxRecentMessage))
  }
}
