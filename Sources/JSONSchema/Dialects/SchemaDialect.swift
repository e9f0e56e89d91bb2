/// A draft of JSON Schema, with its keywords and rules.
public enum SchemaDialect: String, Hashable, Sendable, CaseIterable {
  /// Draft 4 of 2013.
  case draft4
  /// Draft 6 of 2017.
  case draft6
  /// Draft 7 of 2018.
  case draft7
  case draft2019
  /// Draft 2020-12, the latest.
  case draft2020

  /// The address of the draft's metaschema, for `$schema`.
  public var uri: String {
    switch self {
    case .draft4: "http://json-schema.org/draft-04/schema#"
    case .draft6: "http://json-schema.org/draft-06/schema#"
    case .draft7: "http://json-schema.org/draft-07/schema#"
    case .draft2019: "https://json-schema.org/draft/2019-09/schema"
    case .draft2020: "https://json-schema.org/draft/2020-12/schema"
    }
  }

  /// The name of the draft for people: `2020-12`, `draft 7`.
  public var name: String {
    switch self {
    case .draft4: "draft 4"
    case .draft6: "draft 6"
    case .draft7: "draft 7"
    case .draft2019: "2019-09"
    case .draft2020: "2020-12"
    }
  }
}

extension SchemaDialect: Comparable {
  /// Whether `left` is the older draft.
  public static func < (left: SchemaDialect, right: SchemaDialect) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .draft4: 4
    case .draft6: 6
    case .draft7: 7
    case .draft2019: 2019
    case .draft2020: 2020
    }
  }
}
