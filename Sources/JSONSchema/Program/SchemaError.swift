public import AgentJSON

/// The faults that prevent the compilation of a schema: the first one, and all others in
/// ``others``.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A place that should hold a schema holds something else.
    case notASchema
    /// A keyword's value has a form that the keyword doesn't allow.
    case malformedKeyword
    /// The text of a `pattern` can't be compiled.
    case malformedPattern
    /// `$schema` names an unknown draft or metaschema.
    case unknownDialect
    /// A metaschema requires an unknown vocabulary.
    case unknownVocabulary
    /// A reference has no target, or refers to an unregistered document. Documents are never
    /// fetched.
    case unresolvedReference
    /// References form a loop that never moves to a part of the value.
    case endlessReference
    /// A chain of references is longer than a check allows.
    case tooDeep
  }

  /// The kind of fault, for programs.
  public let code: Code
  /// The place in the schema's document.
  public let pointer: JSONPointer
  /// The address of the registered document with the fault. `nil` for the compiled schema.
  public let document: String?
  /// The fault and its remedy, in a sentence for the schema's author.
  public let message: String
  /// The address of the unregistered document that a reference needs. `nil` for other faults.
  public internal(set) var missingDocument: String?
  /// The other faults of the same schema, in the order in which they were found.
  public internal(set) var others: [SchemaError] = []

  /// This fault and all others.
  public var all: [SchemaError] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Each fault on its own line, with its place.
  public var description: String {
    all.map { "\($0.document ?? "")#\($0.pointer): \($0.message)" }.joined(separator: "\n")
  }
}
