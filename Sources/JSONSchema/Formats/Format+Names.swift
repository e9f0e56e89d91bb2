extension Format {
  /// Creates the format with this name in a draft. Returns `nil` if the draft has none.
  init?(named name: String, in dialect: SchemaDialect) {
    guard let entry = Self.entries.first(where: { $0.name == name && $0.drafts ~= dialect })
    else { return nil }
    self = entry.format
  }

  /// Returns the formats of a draft, with their names there.
  static func all(in dialect: SchemaDialect) -> [(name: String, format: Format)] {
    entries.filter { $0.drafts ~= dialect }.map { ($0.name, $0.format) }
  }

  private struct Entry {
    let name: String
    let format: Format
    let drafts: ClosedRange<SchemaDialect>
  }

  /// The section "format" of each draft: 7.3 since draft 7, 8.3 in draft 6, 7.3 in draft 4.
  private static let entries: [Entry] = [
    Entry(name: "date-time", format: .dateTime, drafts: .draft4 ... .draft2020),
    Entry(name: "email", format: .email, drafts: .draft4 ... .draft2020),
    // Since draft 7, host names in other scripts are included, in their ASCII form.
    Entry(name: "hostname", format: .plainHostname, drafts: .draft4 ... .draft6),
    Entry(name: "hostname", format: .hostname, drafts: .draft7 ... .draft2020),
    Entry(name: "ipv4", format: .ipv4, drafts: .draft4 ... .draft2020),
    Entry(name: "ipv6", format: .ipv6, drafts: .draft4 ... .draft2020),
    Entry(name: "uri", format: .uri, drafts: .draft4 ... .draft2020),
    Entry(name: "uri-reference", format: .uriReference, drafts: .draft6 ... .draft2020),
    Entry(name: "uri-template", format: .uriTemplate, drafts: .draft6 ... .draft2020),
    Entry(name: "json-pointer", format: .jsonPointer, drafts: .draft6 ... .draft2020),
    Entry(name: "date", format: .date, drafts: .draft7 ... .draft2020),
    Entry(name: "time", format: .time, drafts: .draft7 ... .draft2020),
    Entry(name: "idn-email", format: .idnEmail, drafts: .draft7 ... .draft2020),
    Entry(name: "idn-hostname", format: .idnHostname, drafts: .draft7 ... .draft2020),
    Entry(name: "iri", format: .iri, drafts: .draft7 ... .draft2020),
    Entry(name: "iri-reference", format: .iriReference, drafts: .draft7 ... .draft2020),
    Entry(name: "regex", format: .regex, drafts: .draft7 ... .draft2020),
    Entry(
      name: "relative-json-pointer", format: .relativeJSONPointer, drafts: .draft7 ... .draft2019),
    Entry(
      name: "relative-json-pointer", format: .adjustableJSONPointer,
      drafts: .draft2020 ... .draft2020),
    Entry(name: "duration", format: .duration, drafts: .draft2019 ... .draft2020),
    Entry(name: "uuid", format: .uuid, drafts: .draft2019 ... .draft2020),
  ]
}
