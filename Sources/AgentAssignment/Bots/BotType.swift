/// The type of a bot: one of the six built-in types, or a custom type of the agent.
public struct BotType: Sendable, Hashable {
  /// The name, such as `worker`.
  public let name: String

  /// Creates a type by its name. ``BotDefinitionReader`` checks whether the agent knows it.
  public init(_ name: String) { self.name = name }

  /// Administration and maintenance.
  public static let system = BotType("system")
  /// Processes tasks of any kind.
  public static let worker = BotType("worker")
  /// Watches, and raises alerts.
  public static let monitor = BotType("monitor")
  /// Does a few types of task.
  public static let specialist = BotType("specialist")
  /// Helps people with various tasks.
  public static let assistant = BotType("assistant")
  /// A person.
  public static let user = BotType("user")

  /// The types that every agent has.
  public static let builtIn = [system, worker, monitor, specialist, assistant, user]
}
