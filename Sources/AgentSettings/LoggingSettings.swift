/// `logging`: what is logged, how, and where to.
public struct LoggingSettings: Sendable, Hashable {
  /// The severity of a record, the lowest first.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
  }

  /// The form on the terminal and in `file`.
  public enum Format: String, Sendable, Hashable {
    case text, json
  }

  /// When a log file is put aside.
  public struct Rotation: Sendable, Hashable {
    /// When it grows beyond this.
    public var maxBytes = 10 << 20
    /// When it is older than this.
    public var maxAgeDays = 7.0
    /// How many are kept.
    public var keep = 5

    /// The defaults.
    public init() {}
  }

  /// The least that is logged.
  public var level = Level.info
  /// The form on the terminal and in `file`.
  public var format = Format.text
  /// A file that gets every record besides the files in `.agent/logs`, absolute; nil means none.
  public var file: String?
  /// When log files are put aside.
  public var rotation = Rotation()
  /// The type of events as which records are published; nil means none.
  public var forward: String?

  /// The defaults.
  public init() {}
}
