public import AgentJSON

/// The form by which a person fills in a value for a schema. A console draws it.
///
/// It says which input suits each value. The schema says whether a value fits.
public struct SchemaForm: Sendable, Hashable {
  /// The whole value: mostly a group with a field for each key.
  public let root: FormField

  init(_ program: SchemaProgram) {
    var builder = FormBuilder(program)
    root = builder.field([0], at: FormLocation(pointer: .root))
  }

  /// The form for programs in other languages.
  public var json: JSONValue { root.json }
}

extension Schema {
  /// The form by which a person fills in a value for the schema.
  public var form: SchemaForm { SchemaForm(program) }
}

/// One input of a form.
public struct FormField: Sendable, Hashable {
  /// The kind of input for a value.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A line of text.
    case text
    /// A text that isn't shown.
    case password
    /// A number that may have a fraction.
    case number
    case integer
    /// Yes or no.
    case toggle
    /// One of `options`.
    case select
    /// Any number of values with the input `element`; `fields` has the inputs of the first ones
    /// where these differ.
    case list
    /// An object with the keys of `fields`.
    case group
    /// An object with keys of the user's choice and values with the input `element`.
    case map
    /// One of `branches`, beside `fields` that all of them share.
    case choice
    /// Anything, as JSON text.
    case json
  }

  /// Where the value goes; `-` stands for an element of a list, `*` for a key of the user's choice.
  public internal(set) var pointer: JSONPointer
  /// The key in the object around it; nil for the whole and for elements.
  public internal(set) var key: String?
  /// The schema's title, or else the key in words.
  public internal(set) var label: String
  /// The schema's description.
  public internal(set) var help: String?
  public internal(set) var kind: Kind
  /// Whether the object around it can't be without it.
  public internal(set) var isRequired = false
  /// Whether `null` may be written.
  public internal(set) var isNullable = false
  /// Whether it should no longer be used; `help` may say what to use.
  public internal(set) var isDeprecated = false
  /// Whether it is shown, but not changed.
  public internal(set) var isReadOnly = false
  /// The value that counts where nothing is filled in.
  public internal(set) var defaultValue: JSONValue?
  /// Values that the schema's author gives as examples.
  public internal(set) var examples: [JSONValue] = []
  /// The text to show in an empty input.
  public internal(set) var placeholder: String?
  /// The bounds of numbers, and of how long texts, lists and maps are.
  public internal(set) var limits = FormLimits()
  /// A regular expression (ECMA-262) that a text must match.
  public internal(set) var pattern: String?
  /// The format of a text, such as `date-time`.
  public internal(set) var format: String?
  /// The unit of a number: `seconds`.
  public internal(set) var unit: String?
  /// The values of a `select`.
  public internal(set) var options: [FormOption] = []
  /// The fields of a `group`, a `choice` or a `list` of differing elements, in the schema's order.
  public internal(set) var fields: [FormField] = []
  /// The input for each element of a `list`, or each value of a `map`; one or none.
  public internal(set) var element: [FormField] = []
  /// The alternatives of a `choice`.
  public internal(set) var branches: [FormBranch] = []
  /// The key whose value tells the branches apart.
  public internal(set) var discriminator: String?
  /// The condition under which the input is shown; nil for always.
  public internal(set) var condition: FormCondition?
  /// Where a group like this one was described already: a schema may contain itself.
  public internal(set) var sameAs: JSONPointer?
}

/// Bounds, as far as a schema has them.
public struct FormLimits: Sendable, Hashable {
  public internal(set) var minimum: JSONNumber?
  public internal(set) var maximum: JSONNumber?
  /// Whether `minimum` itself is too small.
  public internal(set) var excludesMinimum = false
  /// Whether `maximum` itself is too great.
  public internal(set) var excludesMaximum = false
  /// The number of which numbers are a multiple.
  public internal(set) var step: JSONNumber?
  /// The least number of characters, elements or keys.
  public internal(set) var minimumCount: Int?
  /// The greatest number of characters, elements or keys.
  public internal(set) var maxCount: Int?
  /// Whether the elements must differ.
  public internal(set) var isUnique = false
}

/// A value of a `select`.
public struct FormOption: Sendable, Hashable {
  public let value: JSONValue
  public let label: String
  public let help: String?
}

/// An alternative of a `choice`.
public struct FormBranch: Sendable, Hashable {
  public let label: String
  public let help: String?
  /// The discriminator's value in this branch.
  public let value: JSONValue?
  /// How the value is asked for in this branch; of a group only the fields that the choice doesn't
  /// have already.
  public let field: FormField
}

/// When a field is asked for.
public struct FormCondition: Sendable, Hashable {
  /// A key of the same object.
  public let key: String
  public let values: [JSONValue]
  /// Whether the field is asked for where the key does not have one of the values.
  public let isNegated: Bool
}
