package import AgentJSON

extension JSONValue {
  /// What a body may have is wrapped before it is stored, so that what is stored is deeper than
  /// what came in. Nobody but the host writes it.
  private static let storedLimits = JSONLimits(maximumDepth: 512)

  /// Reads what the host has written itself, or nil.
  package init?(stored bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes, limits: Self.storedLimits) else {
      return nil
    }
    self = document.root.value
  }

  package var int64: Int64? { int.map { Int64(clamping: $0) } }
  var strings: [String] { array?.compactMap(\.string) ?? [] }

  /// The same with other texts; the keys of objects are texts, too.
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
