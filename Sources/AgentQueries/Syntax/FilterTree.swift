public import AgentJSON

/// Which events a query asks for, as it was written.
public struct FilterTree: Sendable, Hashable {
  /// What stands there.
  public indirect enum Kind: Sendable, Hashable {
    /// `*`: every event.
    case everything
    /// A field and what its value must be like; a bare term asks for the field `type`.
    case term(FilterTerm)
    /// All must hold.
    case all([FilterTree])
    /// One must hold.
    case any([FilterTree])
    /// It must not hold.
    case not(FilterTree)
  }

  /// What stands there.
  public let kind: Kind
  /// Where it stands.
  public let range: QueryRange

  /// A node at `range`.
  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// A field and what its value must be like.
public struct FilterTerm: Sendable, Hashable {
  /// How values are compared.
  public enum Match: Sendable, Hashable {
    /// `field:*`: the field is there.
    case exists
    /// `field:value`: equal to the text; case is ignored, numbers are compared as numbers.
    case equal(String)
    /// `field!:value`: the same text, case included, or the same number.
    case exact(String)
    /// `field:val*`: like the pattern; `*` is any text, `?` any character; case is ignored.
    case like(String)
    /// `field:[lower TO upper]`: between both, which belong to it.
    case between(FilterBounds)
    /// `field:value~2`: text that becomes `value` by at most `edits` edits. Case is ignored.
    case near(String, edits: Int)
  }

  /// The field's name; dots lead into nested objects.
  public let field: String
  /// How its value is compared.
  public let match: Match
  /// Whether the field was written `field#`: text that writes a number counts as the number.
  public let isNumber: Bool

  /// A term over `field`.
  public init(field: String, match: Match, isNumber: Bool = false) {
    self.field = field
    self.match = match
    self.isNumber = isNumber
  }
}

/// The ends of a range, both inclusive; nil where it is open.
public enum FilterBounds: Sendable, Hashable {
  /// A range of numbers; no text is in it.
  case numbers(JSONNumber?, JSONNumber?)
  /// A range of texts in lower case, by code points; no number is in it.
  case texts(String?, String?)
}
