internal import AgentText

/// The query string of a request, decoded.
struct QueryString: Sendable {
  /// The pairs in their written order.
  let pairs: [(name: String, value: String)]

  /// Parses a query string. A plus sign is a blank, as forms and most clients write it.
  init(_ text: Substring) {
    pairs = text.split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentEncoding.decoded(sides.first ?? "", plusIsBlank: true)
      return (name, PercentEncoding.decoded(sides.dropFirst().first ?? "", plusIsBlank: true))
    }
  }

  /// Returns the first value of a name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
