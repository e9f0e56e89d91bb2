public import AgentJSON

/// The faults for which a schema can't be compiled: the first one, and all others in ``others``.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A place that should hold a schema holds something else.
    case notASchema
    /// A keyword's value has a form that the keyword doesn't allow.
    case malformedKeyword
    /// The text of a `pattern` can't be compiled.
    case malformedPattern
    /// `$schema` names a draft or a metaschema that isn't known.
    case unknownDialect
    /// A metaschema demands a vocabulary that isn't known.
    case unknownVocabulary
    /// A reference leads nowhere, or to a document that isn't registered. Nothing is ever fetched.
    case unresolvedReference
    /// References lead back to where they started, without ever going into the value.
    case endlessReference
    /// More references follow on each other than a check allows.
    case tooDeep
  }

  /// The kind of fault, for programs.
  public let code: Code
  /// The place in the schema's document.
  public let pointer: JSONPointer
  /// The address of the registered document with the fault; nil for the schema being compiled.
  public let document: String?
  /// The fault and its remedy, in a sentence for the schema's author.
  public let message: String
  /// The address of the document that a reference leads to and that isn't registered; nil for other
  /// faults.
  public internal(set) var missingDocument: String?
  /// The other faults of the same schema, in the order in which they were found.
  public internal(set) var others: [SchemaError] = []

  /// This fault and all others.
  public var all: [SchemaError] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Every fault on a line of its own, with its place.
  public var description: String {
    all.map { "\($0.document ?? "")#\($0.pointer): \($0.message)" }.joined(separator: "\n")
  }
}
