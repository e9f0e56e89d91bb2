/// The requirements of every contribution: a name, settings, and an initializer.
///
/// The host makes a contribution once its settings have passed the schema in `module.json`, and
/// makes a new one when they change. ``init(settings:host:)`` must not acquire anything exclusive
/// (a port, a lock, a file that only one may write): the predecessor may still be running. Do that
/// in `run()` or at the first call.
public protocol Contribution: Sendable {
  /// The part of the settings file that belongs to this contribution, without the host's own keys.
  associatedtype Settings: Decodable & Sendable

  /// The name in `module.json`, unique within its kind.
  static var name: String { get }

  /// Makes an instance from its settings. An error stops the process and is shown with its message.
  init(settings: Settings, host: AgentHost) throws
}

/// A process that produces events.
public protocol Datasource: Contribution {
  /// Works until it is cancelled. Returning means that there is nothing left to do; throwing means
  /// that it failed. The host restarts it according to the process's restart policy.
  func run() async throws
}

/// A process that reacts to the results of queries over events.
public protocol Monitor: Contribution {
  /// Works until it is cancelled; see ``Datasource/run()``.
  func run() async throws
}
