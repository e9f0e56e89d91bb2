internal import AgentJSON

/// The size of what a function makes.
extension JSONValue {
  /// The most bytes of a value. An event that the API takes is smaller.
  private static let maxBytes = 4 << 20

  /// Returns the value, or null where its text would have more than 4 MiB, or where the row has too
  /// few steps left.
  ///
  /// Rationale: a list or an object that names one value many times grows by that factor with each
  /// pipe. Its parts are shared, so it needs few bytes of memory, but comparing or writing it would
  /// not end.
  func bounded(_ row: EvaluationRow) -> JSONValue {
    var space = Self.maxBytes
    let fits = fits(in: &space)
    return row.meter.spend(Self.maxBytes - max(0, space)) && fits ? self : .null
  }

  /// Whether the value has a few bytes only.
  var isSmall: Bool {
    switch self {
    case .null, .bool: true
    case .number(let number): !number.isKeptAsText
    case .string, .array, .object: false
    }
  }

  /// Takes the bytes of the texts, and one for each value, from `space`. Ends when no space is
  /// left.
  /// - Returns: whether there was enough.
  @discardableResult
  func fits(in space: inout Int) -> Bool {
    space -= 1
    switch self {
    case .null, .bool: break
    case .number(let number): space -= number.text.utf8.count
    case .string(let text): space -= text.utf8.count
    case .array(let elements):
      for element in elements {
        if !element.fits(in: &space) { return false }
      }
    case .object(let object):
      for (key, value) in object {
        space -= key.utf8.count
        if !value.fits(in: &space) { return false }
      }
    }
    return space >= 0
  }
}
