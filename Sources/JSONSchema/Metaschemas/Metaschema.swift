import AgentJSON

/// The metaschemas of the drafts: the schemas for their schemas.
///
/// They need no registration. The first use of one reads all of them.
enum Metaschema {
  /// Returns the metaschema with an address, or the part of one, or `nil` if there is none.
  static func document(at address: String) -> JSONValue? { documents[address] }

  private static let documents: [String: JSONValue] = [
    "http://json-schema.org/draft-04/schema": parse(PackageResources.draft4_schema_json),
    "http://json-schema.org/draft-06/schema": parse(PackageResources.draft6_schema_json),
    "http://json-schema.org/draft-07/schema": parse(PackageResources.draft7_schema_json),
    "https://json-schema.org/draft/2019-09/schema":
      parse(PackageResources.draft2019_09_schema_json),
    "https://json-schema.org/draft/2019-09/meta/core":
      parse(PackageResources.draft2019_09_core_json),
    "https://json-schema.org/draft/2019-09/meta/applicator":
      parse(PackageResources.draft2019_09_applicator_json),
    "https://json-schema.org/draft/2019-09/meta/validation":
      parse(PackageResources.draft2019_09_validation_json),
    "https://json-schema.org/draft/2019-09/meta/meta-data":
      parse(PackageResources.draft2019_09_meta_data_json),
    "https://json-schema.org/draft/2019-09/meta/format":
      parse(PackageResources.draft2019_09_format_json),
    "https://json-schema.org/draft/2019-09/meta/content":
      parse(PackageResources.draft2019_09_content_json),
    "https://json-schema.org/draft/2020-12/schema":
      parse(PackageResources.draft2020_12_schema_json),
    "https://json-schema.org/draft/2020-12/meta/core":
      parse(PackageResources.draft2020_12_core_json),
    "https://json-schema.org/draft/2020-12/meta/applicator":
      parse(PackageResources.draft2020_12_applicator_json),
    "https://json-schema.org/draft/2020-12/meta/unevaluated":
      parse(PackageResources.draft2020_12_unevaluated_json),
    "https://json-schema.org/draft/2020-12/meta/validation":
      parse(PackageResources.draft2020_12_validation_json),
    "https://json-schema.org/draft/2020-12/meta/meta-data":
      parse(PackageResources.draft2020_12_meta_data_json),
    "https://json-schema.org/draft/2020-12/meta/format-annotation":
      parse(PackageResources.draft2020_12_format_annotation_json),
    "https://json-schema.org/draft/2020-12/meta/format-assertion":
      parse(PackageResources.draft2020_12_format_assertion_json),
    "https://json-schema.org/draft/2020-12/meta/content":
      parse(PackageResources.draft2020_12_content_json),
  ]

  /// Reads a file in Resources. A test verifies that all of them can be read.
  private static func parse(_ bytes: [UInt8]) -> JSONValue {
    (try? JSONValue(parsing: bytes)) ?? .null
  }
}
