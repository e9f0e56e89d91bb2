/// `logging`: the level, the form and the files of the log.
public struct LoggingSettings: Sendable, Hashable {
  /// The severity of a record, the lowest first.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
  }

  /// The form on the terminal and in `file`.
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
  /// The form on the terminal and in `file`.
  public var format = Format.text
  /// A file that gets every record besides the files in `.agent/logs`, absolute; nil means none.
  public var file: String?
  public var rotation = Rotation()
  /// The type of the events that publish records. Nil means that records aren't published.
  public var forward: String?

  public init() {}
}
