/// One step of a fast program. All steps of a body must hold. The operation determines the meaning
/// of `a`, `b` and `c`.
struct FastInstruction {
  // One byte, so that an instruction with its three operands has 16 bytes.
  enum Operation: UInt8 {
    /// The end of a body: the value matches.
    case accept
    /// The value doesn't match.
    case reject
    // It replaces a call at the end of a body, and needs no stack frame.
    /// Continues with body `a` instead.
    case jump
    /// Body `a` must hold too.
    case call

    // MARK: Scalars
    /// One of the constants in list `a`.
    case equalsAny
    /// One of the many values of choice `a`.
    case isAnyValue
    /// The string of slot `a`.
    case isString
    /// One of the strings of table `a`.
    case isAnyString
    /// A string of at least `a` and at most `b` scalars.
    case length
    /// A string that matches pattern `a`.
    case pattern
    /// A string of format `a`.
    case format
    /// A string that content rule `a` admits.
    case content
    /// A number without a fraction, also in a notation such as `5.0`.
    case integral
    /// An integer between `integers[a]` and `integers[a + 1]`; beyond 18 digits exact demand `b`
    /// and those after it decide, `c` of them.
    case integerRange
    /// An integer that is a multiple of `integers[a]`; beyond 18 digits exact demand `b` decides.
    case integerMultiple
    /// A number within the bound of exact demand `b`, whose limit is `decimals[a]`.
    case decimalBound
    /// A number that is a multiple of `decimals[a]`; else as `decimalBound`.
    case decimalMultiple
    /// A number that meets exact demand `b`.
    case exactNumber

    // MARK: Arrays
    /// At least `a` and at most `b` elements or members.
    case count
    /// The elements fit the units in list `a`, the others unit `b`.
    case elements
    /// No two elements are equal.
    case unique
    /// At least `b` and at most `c` elements fit unit `a`.
    case contains

    // MARK: Objects
    /// The members obey rule `a`, which has names, required keys and `others` only.
    case members
    // A step of its own: the common pass over members has no branches for rare rules.
    /// The members obey rule `a`, which may have patterns, a schema for keys and marks, too.
    case anyMembers
    /// All keys of set `a` are there. They are the required keys for which a word has no bits left.
    case keysPresent
    /// With the key of slot `a` comes that of slot `b`.
    case keyNeedsKey
    /// With the key of slot `a` body `b` holds too.
    case keyNeedsBody
    /// With each key of table `a` (`b` is its shift) the body of its slot holds too.
    case keysNeedBodies

    // MARK: Combinations
    /// Any of the bodies in list `a` holds.
    case anyOf
    /// Exactly one of the bodies in list `a` holds.
    case oneOf
    /// None of the bodies in list `a` holds.
    case noneOf
    /// Body `a` decides between the bodies `b` and `c`.
    case either
    /// `anyOf` or `oneOf` among the bodies that choice `a` leaves.
    case choice

    // MARK: Evaluated members
    /// Body `a` with marks of its own; if `b` is 1, they are added to those around it.
    case fresh
    /// As `elements`, `contains` (`contained` elements get marks), `anyOf`, `oneOf` and `either`,
    /// marking what they look at.
    case coverElements, coverContained, coverAnyOf, coverOneOf, coverEither
    /// The elements without marks fit unit `a`.
    case uncoveredElements
    /// The members without marks fit unit `a`.
    case uncoveredMembers
  }

  var operation: Operation
  // Numbers and no pointers: lowering still moves what they refer to.
  var a: UInt32 = 0
  var b: UInt32 = 0
  var c: UInt32 = 0
}

extension UInt32 {
  // The two smallest numbers: one comparison tells a decided entry from a body to run.
  /// The body that accepts, and the one that rejects: the first two instructions.
  static let acceptBody: UInt32 = 0
  static let rejectBody: UInt32 = 1
  // Not 0, which is a unit, a slot and a list.
  /// No unit, no slot.
  static let nothing = UInt32.max
}

/// The names, the required keys and the other members of an object.
struct FastMembers {
  var table = FastTable()
  /// The bits of the required keys.
  var required: UInt64 = 0
  /// How many keys are required.
  var least: UInt32 = 0
  /// The unit for members that nothing names.
  var others = UInt32.nothing
  /// The unit for keys.
  var names = UInt32.nothing
  /// Pairs of pattern and unit in the list.
  var patterns = UInt32.nothing
  /// Whether members get marks.
  var covers = false
}

/// The bodies that can hold, by the string that a key has. None holds for any other value of it.
struct FastChoice {
  /// The slot of the key.
  var key: UInt32
  /// Maps a string to a list of bodies.
  var table: FastTable
  /// The list of bodies for an object without the key.
  var missing: UInt32
  /// Whether exactly one body has to hold.
  var isExclusive: Bool
  /// Whether members get marks.
  var covers: Bool
}
