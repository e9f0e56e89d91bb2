public import AgentJSON

/// A parsed filter.
public struct FilterTree: Sendable, Hashable {
  /// The kind of the node.
  public indirect enum Kind: Sendable, Hashable {
    /// `*`: every event.
    case everything
    /// A condition on a field. A bare term is about the field `type`.
    case term(FilterTerm)
    /// All of them must match.
    case all([FilterTree])
    /// One of them must match.
    case any([FilterTree])
    /// It must not match.
    case not(FilterTree)
  }

  public let kind: Kind
  /// The place in the text.
  public let range: QueryRange

  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// A condition on the value of a field.
public struct FilterTerm: Sendable, Hashable {
  /// How values are compared.
  public enum Match: Sendable, Hashable {
    /// `field:*`: the field exists.
    case exists
    /// `field:value`: the value equals the text. Case is ignored, and numbers are compared as
    /// numbers.
    case equal(String)
    /// `field!:value`: the value is the same text with the same case, or the same number.
    case exact(String)
    /// `field:val*`: the value matches a pattern. `*` is any text, `?` any character, and case is
    /// ignored.
    case like(String)
    /// `field:[lower TO upper]`: the value is between both, or equals one of them.
    case between(FilterBounds)
    /// `field:value~2`: the text becomes `value` by at most `edits` edits. Case is ignored.
    case near(String, edits: Int)
  }

  /// The field's name. Dots lead into nested objects.
  public let field: String
  public let match: Match
  /// Whether the field was written as `field#`. A text with a number then counts as the number.
  public let isNumber: Bool

  public init(field: String, match: Match, isNumber: Bool = false) {
    self.field = field
    self.match = match
    self.isNumber = isNumber
  }
}

/// The ends of a range, both included. Nil means that the range is open.
public enum FilterBounds: Sendable, Hashable {
  /// A range of numbers. It contains no texts.
  case numbers(JSONNumber?, JSONNumber?)
  /// A range of texts in lower case, by code points. It contains no numbers.
  case texts(String?, String?)
}
