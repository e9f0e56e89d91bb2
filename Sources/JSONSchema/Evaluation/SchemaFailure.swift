public import AgentJSON

/// One way in which a value doesn't fit its schema, explained for the person who must repair it.
public struct SchemaFailure: Hashable, Sendable {
  /// Whether the failure makes the value invalid.
  public enum Severity: String, Hashable, Sendable {
    /// The value doesn't fit.
    case error
    /// The value fits, but uses a part that its schema calls deprecated.
    case warning
  }

  public var severity: Severity = .error
  /// The value at fault; for a missing or an unknown key the object.
  public let instance: JSONPointer
  /// The missing or unknown key.
  public let key: String?
  /// The bytes at fault in the document that was checked: those of the value, or of the unknown
  /// key.
  public let range: Range<Int>
  /// The keyword's place in its schema document.
  public let schema: JSONPointer
  /// The keyword, such as `type`; `false` for a place where nothing is allowed.
  public let keyword: String
  /// A phrase for values that fit: `an integer`.
  public let expected: String
  /// A phrase for the value that is there: `"60"`.
  public let found: String
  /// The remedy, as a sentence: `Remove the quotes.` Nil where none is known.
  public internal(set) var suggestion: String?
  /// The whole message, to stand after the path: `expected an integer, found "60". Remove the
  /// quotes.`
  public internal(set) var message: String
  /// The address of the document to which a reference leads and that isn't registered, in a fault
  /// of a schema; nil otherwise.
  public internal(set) var missingDocument: String?
  /// The known key that an unknown one most likely is.
  var nearestKey: String?
  /// Keys that won't be missing once this is mended.
  var settledKeys: [String] = []
}
