package import AgentJSON
internal import Synchronization

/// What the host holds in memory for clients, part by part, beside the limits. Any thread.
package final class HeldMemory: Sendable {
  /// What one part holds now.
  package struct Part: Sendable, Hashable {
    /// The bytes that it holds.
    package var bytes: Int
    /// The limit, in bytes.
    package var maxBytes: Int

    package init(bytes: Int, maxBytes: Int) {
      self.bytes = bytes
      self.maxBytes = maxBytes
    }

    /// The part as the API gives it.
    package var json: JSONValue {
      ["bytes": JSONValue(bytes), "max_bytes": JSONValue(maxBytes)]
    }
  }

  private let parts = Mutex<[String: @Sendable () -> Part]>([:])

  /// Makes one without parts.
  package init() {}

  /// Adds a part.
  /// - Parameter part: called whenever the status is asked for; any thread.
  package func show(_ name: String, _ part: @escaping @Sendable () -> Part) {
    parts.withLock { $0[name] = part }
  }

  /// All parts by name, as the API gives them.
  package var json: JSONValue {
    // Called outside of the lock: a part may take a lock of its own.
    let all = parts.withLock { $0.sorted { $0.key < $1.key } }
    return .object(JSONObject(all.map { ($0.key, $0.value().json) }))
  }
}
