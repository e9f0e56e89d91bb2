package import AgentJSON

extension JSONValue {
  /// The nesting of stored values. It is higher than that of requests, because the host wraps a
  /// request's body before it stores it. Only the host writes these bytes.
  private static let storedLimits = JSONLimits(maxDepth: 512)

  /// Reads bytes that the host has written. Returns `nil` if they aren't JSON.
  package init?(stored bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes, limits: Self.storedLimits) else {
      return nil
    }
    self = document.root.value
  }

  package var int64: Int64? { int.map { Int64(clamping: $0) } }
  var strings: [String] { array?.compactMap(\.string) ?? [] }

  /// Returns the value with `change` applied to every text, including the keys of objects.
  package func mapStrings(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { $0.mapStrings(change) })
    case .object(let object):
      .object(
        object.reduce(into: JSONObject()) { $0[change($1.key)] = $1.value.mapStrings(change) })
    default: self
    }
  }
}
