/// The numbers of records that a log accepted and dropped, and its recent problems.
package struct LogStatistics: Sendable, Hashable {
  /// The number of recent warnings and errors that are kept.
  package static let maxRecent = 100
  /// The largest size of the message of each, in bytes.
  static let maxRecentMessage = 8 << 10

  /// The number of accepted records, by the rank of their level.
  package var records = Array(repeating: 0, count: LogLevel.allCases.count)
  /// The number of records that were lost because they came faster than they could be written.
  package internal(set) var dropped = 0
  /// The number of records that wait to be written.
  package internal(set) var waiting = 0
  /// The current problem of each file that can't be written, by path.
  package internal(set) var problems: [String: String] = [:]
  /// The recent warnings and errors, oldest first, without secrets.
  package internal(set) var recent: [LogRecord] = []

  mutating func remember(_ record: LogRecord) {
    if recent.count >= Self.maxRecent { recent.removeFirst(recent.count - Self.maxRecent + 1) }
    recent.append(record.cut(toBytes: Self.maxRecentMessage))
  }
}
