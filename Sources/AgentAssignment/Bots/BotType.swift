/// What kind of bot this is: one of six that are always there, or a name of the agent's own.
public struct BotType: Sendable, Hashable {
  /// The name: `worker`.
  public let name: String

  /// A type by its name; whether the agent knows it is for ``BotReader`` to say.
  public init(_ name: String) { self.name = name }

  /// Administration and maintenance.
  public static let system = BotType("system")
  /// Processes tasks of any kind.
  public static let worker = BotType("worker")
  /// Watches, and raises alarms.
  public static let monitor = BotType("monitor")
  /// For a few types of task.
  public static let specialist = BotType("specialist")
  /// Helps people with this and that.
  public static let assistant = BotType("assistant")
  /// A person.
  public static let user = BotType("user")

  /// Those that every agent knows.
  public static let builtIn = [system, worker, monitor, specialist, assistant, user]
}
