internal import AgentJSON
internal import Logging

/// Forwards records from libraries that use swift-log to the host's log.
package struct HubLogHandler: LogHandler {
  let hub: LogHub
  var metadata: Logger.Metadata = [:]
  // Below this level, libraries log details that only help their own authors.
  var logLevel: Logger.Level = .warning

  package init(hub: LogHub) { self.hub = hub }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var fields = JSONObject()
    for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
      fields[key] = .string("\(value)")
    }
    hub.log(
      LogLevel(rawValue: event.level.rawValue) ?? .info, "\(event.message)", fields: fields)
  }
}
