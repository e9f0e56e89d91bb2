/// `logging`: the level, the form and the files of the log.
public struct LoggingSettings: Sendable, Hashable {
  /// The severity of a record, the lowest first.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
  }

  /// The form of records on the terminal.
  public enum Format: String, Sendable, Hashable {
    case text, json
  }

  /// When a log file is rotated, and how many old files are kept.
  public struct Rotation: Sendable, Hashable {
    /// The maximum size of a file, in bytes.
    public var maxBytes = 10 << 20
    /// The maximum age of a file, in days.
    public var maxAgeDays = 7.0
    /// The number of old files that are kept.
    public var keep = 5

    public init() {}
  }

  /// The lowest level that is logged.
  public var level = Level.info
  /// The form of records on the terminal.
  public var format = Format.text
  /// The absolute path of the file for the host's own records. Nil means `.agent/logs/agent.jsonl`.
  public var file: String?
  public var rotation = Rotation()
  /// The type of the events that publish records. Nil means that records aren't published.
  public var forward: String?

  public init() {}
}
