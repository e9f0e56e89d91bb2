extension Format {
  /// A phrase with an example for matching texts.
  var expectation: String {
    switch self {
    case .dateTime: "a date and time such as \"2026-03-01T12:00:00Z\""
    case .date: "a date such as \"2026-03-01\""
    case .time: "a time with its zone such as \"12:00:00Z\""
    case .duration: "a duration such as \"PT5M\""
    case .email: "an e-mail address such as \"ada@example.org\""
    case .idnEmail: "an e-mail address such as \"añil@bücher.example\""
    case .plainHostname, .hostname: "a host name such as \"db.example.org\""
    case .idnHostname: "a host name such as \"bücher.example\""
    case .ipv4: "an IPv4 address such as \"192.0.2.1\""
    case .ipv6: "an IPv6 address such as \"2001:db8::1\""
    case .uri: "a whole URI such as \"https://example.org/a\""
    case .uriReference: "a URI reference such as \"/a/b\""
    case .iri: "a whole IRI such as \"https://example.org/bücher\""
    case .iriReference: "an IRI reference such as \"/bücher\""
    case .uriTemplate: "a URI template such as \"/users/{id}\""
    case .uuid: "a UUID such as \"2eb8aa08-aa98-11ea-b4aa-73b441d16380\""
    case .jsonPointer: "a JSON pointer such as \"/a/0\""
    case .relativeJSONPointer, .adjustableJSONPointer:
      "a relative JSON pointer such as \"1/a\""
    case .regex: "a regular expression of ECMA-262"
    }
  }
}
