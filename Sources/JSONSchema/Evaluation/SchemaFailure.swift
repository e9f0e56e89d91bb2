public import AgentJSON

/// A reason why a value doesn't match its schema, explained for the person who must repair it.
public struct SchemaFailure: Hashable, Sendable {
  /// Whether the failure makes the value invalid.
  public enum Severity: String, Hashable, Sendable {
    /// The value doesn't match.
    case error
    /// The value matches, but uses a deprecated part of its schema.
    case warning
  }

  public var severity: Severity = .error
  /// The wrong value. For a missing or an unknown key, the object.
  public let instance: JSONPointer
  /// The missing or unknown key.
  public let key: String?
  /// The bytes of the wrong value, or of the unknown key, in the checked document.
  public let range: Range<Int>
  /// The place of the keyword in its schema document.
  public let schema: JSONPointer
  /// The keyword, such as `type`. `false` if no value is allowed.
  public let keyword: String
  /// A phrase for matching values: `an integer`.
  public let expected: String
  /// A phrase for the found value: `"60"`.
  public let found: String
  /// The remedy, as a sentence: `Remove the quotes.` `nil` if none is known.
  public internal(set) var suggestion: String?
  /// The whole message, which follows the path: `expected an integer, found "60". Remove the
  /// quotes.`
  public internal(set) var message: String
  /// The address of an unregistered document that a reference needs, in a fault of a schema.
  /// Otherwise `nil`.
  public internal(set) var missingDocument: String?
  /// The known key that an unknown one probably means.
  var nearestKey: String?
  /// The keys that aren't missing any more after this failure is repaired.
  var settledKeys: [String] = []
}
