public import AgentJSON

/// The form by which a person fills in what a schema describes: what a console draws.
///
/// It says how each value is best asked for; whether what was filled in fits says the schema.
public struct SchemaForm: Sendable, Hashable {
  /// The whole value: mostly a group with a field for each key.
  public let root: FormField

  init(_ program: SchemaProgram) {
    var builder = FormBuilder(program)
    root = builder.field([0], at: FormSpot(pointer: .root))
  }

  /// The form for programs in other languages.
  public var json: JSONValue { root.json }
}

extension Schema {
  /// The form by which a person fills in what the schema describes.
  public var form: SchemaForm { SchemaForm(program) }
}

/// One input of a form.
public struct FormField: Sendable, Hashable {
  /// How a value is asked for.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A line of text.
    case text
    /// A text that isn't shown.
    case password
    /// A number that may have a fraction.
    case number
    /// A whole number.
    case integer
    /// Yes or no.
    case toggle
    /// One of `options`.
    case select
    /// Any number of values, each asked for like `element`; with `fields` for the first of them
    /// where these differ.
    case list
    /// An object with the keys of `fields`.
    case group
    /// An object with keys of the user's choice and values asked for like `element`.
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
  /// What it is called: the schema's title, or else the key in words.
  public internal(set) var label: String
  /// What it means: the schema's description.
  public internal(set) var help: String?
  /// How it is asked for.
  public internal(set) var kind: Kind
  /// Whether the object around it can't be without it.
  public internal(set) var isRequired = false
  /// Whether `null` may be written.
  public internal(set) var isNullable = false
  /// Whether it should no longer be used; `help` may say what to use.
  public internal(set) var isDeprecated = false
  /// Whether it is shown, but not changed.
  public internal(set) var isReadOnly = false
  /// What counts where nothing is filled in.
  public internal(set) var defaultValue: JSONValue?
  /// Values that the schema's author gives as examples.
  public internal(set) var examples: [JSONValue] = []
  /// What to show in an empty input.
  public internal(set) var placeholder: String?
  /// The bounds of numbers, and of how long texts, lists and maps are.
  public internal(set) var limits = FormLimits()
  /// What a text must match (ECMA-262).
  public internal(set) var pattern: String?
  /// The format of a text, such as `date-time`.
  public internal(set) var format: String?
  /// The unit of a number: `seconds`.
  public internal(set) var unit: String?
  /// The values of a `select`.
  public internal(set) var options: [FormOption] = []
  /// The fields of a `group`, a `choice` or a `list` of differing elements, in the schema's order.
  public internal(set) var fields: [FormField] = []
  /// How each element of a `list`, or each value of a `map`, is asked for; one or none.
  public internal(set) var element: [FormField] = []
  /// The alternatives of a `choice`.
  public internal(set) var branches: [FormBranch] = []
  /// The key whose value tells the branches apart.
  public internal(set) var discriminator: String?
  /// When it is asked for; always without a condition.
  public internal(set) var condition: FormCondition?
  /// Where a group like this one was described already: a schema may contain itself.
  public internal(set) var sameAs: JSONPointer?
}

/// Bounds, as far as a schema has them.
public struct FormLimits: Sendable, Hashable {
  /// The least number.
  public internal(set) var minimum: JSONNumber?
  /// The greatest number.
  public internal(set) var maximum: JSONNumber?
  /// Whether `minimum` itself is too small.
  public internal(set) var excludesMinimum = false
  /// Whether `maximum` itself is too great.
  public internal(set) var excludesMaximum = false
  /// What numbers are a multiple of.
  public internal(set) var step: JSONNumber?
  /// The least number of characters, elements or keys.
  public internal(set) var minimumCount: Int?
  /// The greatest number of characters, elements or keys.
  public internal(set) var maximumCount: Int?
  /// Whether the elements must differ.
  public internal(set) var isUnique = false
}

/// A value of a `select`.
public struct FormOption: Sendable, Hashable {
  /// The value.
  public let value: JSONValue
  /// What it is called.
  public let label: String
  /// What it means.
  public let help: String?
}

/// An alternative of a `choice`.
public struct FormBranch: Sendable, Hashable {
  /// What it is called.
  public let label: String
  /// What it means.
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
  /// Its values.
  public let values: [JSONValue]
  /// Whether the field is asked for where the key does not have one of the values.
  public let isNegated: Bool
}
