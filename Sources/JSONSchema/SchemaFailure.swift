public import AgentJSON

/// One way in which a value doesn't fit its schema, explained for the person who must repair it.
public struct SchemaFailure: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable {
    /// The value doesn't fit.
    case error
    /// The value fits, but uses what its schema calls deprecated.
    case warning
  }

  /// How much it matters.
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
  /// What would fit: `an integer`.
  public let expected: String
  /// What is there: `"60"`.
  public let found: String
  /// What to do, as a sentence, where that can be said: `Remove the quotes.`
  public internal(set) var suggestion: String?
  /// All of it, to stand after the path: `expected an integer, found "60". Remove the quotes.`
  public internal(set) var message: String
  /// Of a schema's fault: the address of the document that a reference leads to and that isn't
  /// registered.
  public internal(set) var missingDocument: String?
  /// The known key that an unknown one most likely is.
  var nearestKey: String?
  /// Keys that won't be missing once this is mended.
  var settledKeys: [String] = []
}
