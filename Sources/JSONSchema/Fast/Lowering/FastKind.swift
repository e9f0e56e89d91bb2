/// The kinds of values that a fast program distinguishes, as in records. A number with a fraction
/// or an exponent has its own kind, but may be an integer.
enum FastKind: CaseIterable {
  case null, no, yes, integer, fraction, string, array, object

  /// The index among the sixteen entries of a unit, from the kind and the mark of a record.
  var tag: Int {
    // As in a record's tag: three bits for the kind, then the mark.
    switch self {
    case .null: 0
    case .no: 1
    case .yes: 9
    case .integer: 2
    case .fraction: 10
    case .string: 3
    case .array: 4
    case .object: 5
    }
  }

  /// The other index, if the mark doesn't affect the kind.
  var otherTag: Int? {
    switch self {
    case .null, .string, .array, .object: tag + 8
    // The mark distinguishes these, so each has one index only.
    case .no, .yes, .integer, .fraction: nil
    }
  }

  /// The schema types that a value of this kind may have.
  var types: TypeSet { self == .fraction ? [.fraction, .otherInteger] : type }

  /// The schema type. For a fraction, the type that it certainly has.
  var type: TypeSet {
    switch self {
    case .null: .null
    case .no, .yes: .boolean
    case .integer: .plainInteger
    case .fraction: .fraction
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  var isNumber: Bool { self == .integer || self == .fraction }
}
