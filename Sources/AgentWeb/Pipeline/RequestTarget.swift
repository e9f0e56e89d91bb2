internal import AgentHost
internal import AgentText
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// Checks the target of a request before any other code reads it.
enum RequestTarget {
  private static let host = HTTPField.Name("Host")

  /// Returns the only name that a request uses for this agent. If the target of the request names
  /// another host, ``AbsoluteForm`` has added it as a second header.
  ///
  /// Rationale: a proxy before the agent may have checked the other name.
  /// - Returns: the header as it was sent. Nil means that there is none.
  /// - Throws: `HostError` if there are two names, or an invalid one.
  static func authority(of request: Request) throws -> String? {
    // The first header is the authority. A second one stays among the fields.
    if let host, !request.headers[values: host].isEmpty {
      throw HostError(
        .invalid,
        "The request names more than one host: send one Host header, and no other name in "
          + "the address.")
    }
    guard let text = request.head.authority else { return nil }
    guard Authority(parsing: text) != nil else {
      throw HostError(.invalid, "The Host header isn't a name, with or without a port.")
    }
    return text
  }

  /// Refuses a path or a query string that isn't percent-encoded UTF-8, or that holds NUL.
  static func checkEncoding(of request: Request) throws(HostError) {
    if let fault = fault(of: request.uri.path) {
      throw HostError(.invalid, "The path of the address \(fault)")
    }
    guard let query = request.uri.query, let fault = fault(of: query) else { return }
    // Whole parameters have been separated by & before anything is decoded.
    let wrong = query.split(separator: "&").first { Self.fault(of: $0) != nil } ?? query[...]
    let name = VisibleText.line(String(wrong.prefix { $0 != "=" }), atMost: 100)
    throw HostError(.invalid, "The parameter \"\(name)\" of the address \(fault)")
  }

  /// Returns the rest of a sentence that says what is wrong with a text. Nil means that it is right.
  private static func fault(of text: some StringProtocol) -> String? {
    guard text.utf8.contains(0x25) else { return nil }
    guard let decoded = PercentEncoding.strict(text) else {
      return "isn't percent-encoded correctly. Two hexadecimal digits must follow each %, and the "
        + "decoded text must be UTF-8."
    }
    return decoded.utf8.contains(0) ? "holds %00." : nil
  }
}
