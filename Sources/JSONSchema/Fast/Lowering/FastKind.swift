/// The kinds of value that a fast program distinguishes, as far as a record has them. A number with
/// a fraction or an exponent has a kind of its own; it may be an integer all the same.
enum FastKind: CaseIterable {
  case null, no, yes, integer, fraction, string, array, object

  /// Its place among the sixteen entries of a unit: kind and mark of a record.
  var tag: Int {
    // As in a record's tag: the kind in three bits, then the mark.
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

  /// Its other place, where the mark says nothing about the kind.
  var otherTag: Int? {
    switch self {
    case .null, .string, .array, .object: tag + 8
    // The mark tells these apart in pairs, so each has one place only.
    case .no, .yes, .integer, .fraction: nil
    }
  }

  /// The schema types that it may have.
  var types: TypeSet { self == .fraction ? [.fraction, .otherInteger] : type }

  /// The schema type; of a fraction the one that it certainly has.
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
