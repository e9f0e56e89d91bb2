import AgentJSON

/// The drafts' own metaschemas: what a schema of the draft has to look like, as a schema.
///
/// They are there without being registered, and are read only when a reference or a check asks for
/// them.
enum Metaschema {
  /// The metaschema, or the part of one, that has the address; nil where there is none.
  static func document(at address: String) -> JSONValue? {
    switch address {
    case "http://json-schema.org/draft-04/schema": Draft4.schema
    case "http://json-schema.org/draft-06/schema": Draft6.schema
    case "http://json-schema.org/draft-07/schema": Draft7.schema
    default: vocabularyDocument(at: address)
    }
  }

  private static func vocabularyDocument(at address: String) -> JSONValue? {
    let base = "https://json-schema.org/draft/"
    guard address.hasPrefix(base) else { return nil }
    switch address.dropFirst(base.count) {
    case "2019-09/schema": return Draft2019.schema
    case "2019-09/meta/core": return Draft2019.core
    case "2019-09/meta/applicator": return Draft2019.applicator
    case "2019-09/meta/validation": return Draft2019.validation
    case "2019-09/meta/meta-data": return Draft2019.metadata
    case "2019-09/meta/format": return Draft2019.format
    case "2019-09/meta/content": return Draft2019.content
    case "2020-12/schema": return Draft2020.schema
    case "2020-12/meta/core": return Draft2020.core
    case "2020-12/meta/applicator": return Draft2020.applicator
    case "2020-12/meta/unevaluated": return Draft2020.unevaluated
    case "2020-12/meta/validation": return Draft2020.validation
    case "2020-12/meta/meta-data": return Draft2020.metadata
    case "2020-12/meta/format-annotation": return Draft2020.formatAnnotation
    case "2020-12/meta/format-assertion": return Draft2020.formatAssertion
    case "2020-12/meta/content": return Draft2020.content
    default: return nil
    }
  }

  /// Reads one of the texts here; a test holds that all of them can be read.
  static func document(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: text)) ?? .null
  }
}
