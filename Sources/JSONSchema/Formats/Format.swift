/// The formats that can be asserted; others are ignored.
enum Format: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date
  case time
  case duration
  case uri
  case uriReference = "uri-reference"
  case email
  case hostname
  case ipv4
  case ipv6
  case uuid
  case regex
  case jsonPointer = "json-pointer"

  func admits(_ text: String) -> Bool {
    switch self {
    case .dateTime: DateFormat.isDateTime(text)
    case .date: DateFormat.isDate(text.utf8[...])
    case .time: DateFormat.isTime(text.utf8[...])
    case .duration: DurationFormat.isDuration(text)
    case .uri: AddressFormat.isURI(text)
    case .uriReference: AddressFormat.isURIReference(text)
    case .email: AddressFormat.isEmail(text)
    case .hostname: AddressFormat.isHostname(text.utf8[...])
    case .ipv4: AddressFormat.isIPv4(text.utf8[...])
    case .ipv6: AddressFormat.isIPv6(text.utf8[...])
    case .uuid: AddressFormat.isUUID(text)
    case .regex: Pattern.isWellFormed(text)
    case .jsonPointer: AddressFormat.isPointer(text)
    }
  }

  /// The format as a phrase with an example.
  var phrase: String {
    switch self {
    case .dateTime: "a date and time such as \"2026-03-01T12:00:00Z\""
    case .date: "a date such as \"2026-03-01\""
    case .time: "a time with its zone such as \"12:00:00Z\""
    case .duration: "a duration such as \"PT5M\""
    case .uri: "a whole URI such as \"https://example.org/a\""
    case .uriReference: "a URI reference such as \"/a/b\""
    case .email: "an e-mail address such as \"ada@example.org\""
    case .hostname: "a host name such as \"db.example.org\""
    case .ipv4: "an IPv4 address such as \"192.0.2.1\""
    case .ipv6: "an IPv6 address such as \"2001:db8::1\""
    case .uuid: "a UUID such as \"2eb8aa08-aa98-11ea-b4aa-73b441d16380\""
    case .regex: "a regular expression of ECMA-262"
    case .jsonPointer: "a JSON pointer such as \"/a/0\""
    }
  }
}
