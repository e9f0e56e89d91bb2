import AgentJSON

/// The explanation of a failure: the expected value, the found value, and the remedy.
struct Explanation {
  var severity = SchemaFailure.Severity.error
  var expected: String
  var found: String
  var suggestion: String?
  var key: String?
  var range: Range<Int>?
  var nearestKey: String?
  /// The first part of the message, if it isn't "expected …, found …".
  var lead: String?

  init(
    expected: String, found: String, suggestion: String? = nil, key: String? = nil,
    lead: String? = nil
  ) {
    self.expected = expected
    self.found = found
    self.suggestion = suggestion
    self.key = key
    self.lead = lead
  }

  /// The whole message: `expected an integer, found "60". Remove the quotes.`
  var message: String {
    Self.join(lead ?? "expected \(expected), found \(found)", suggestion)
  }

  /// Returns a message with the schema author's text in place of "expected …", with the found value
  /// and the remedy.
  func message(instead text: String) -> String {
    guard lead == nil else { return text }
    let stop = text.hasSuffix(".") && suggestion == nil ? "." : ""
    return Self.join("\(Self.withoutStop(text)) (found \(found))\(stop)", suggestion)
  }

  static func join(_ lead: String, _ suggestion: String?) -> String {
    suggestion.map { "\(withoutStop(lead)). \($0)" } ?? lead
  }

  static func withoutStop(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// Returns the first sentence of a description, without its stop.
  static func firstSentence(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    var end = line.startIndex
    while let stop = line[end...].firstIndex(of: ".") {
      end = line.index(after: stop)
      if end == line.endIndex || line[end] == " " { return String(line[..<stop]) }
    }
    return String(line)
  }
}
