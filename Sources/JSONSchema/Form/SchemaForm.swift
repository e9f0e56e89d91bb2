public import AgentJSON

/// A form in which a person enters a value for a schema. A console displays it.
///
/// It describes a suitable input for each value. The schema decides whether a value is valid.
public struct SchemaForm: Sendable, Hashable {
  /// The field for the whole value, usually a group with a field for each key.
  public let root: FormField

  init(_ program: SchemaProgram) {
    var builder = FormBuilder(program)
    root = builder.field([0], at: FormLocation(pointer: .root))
  }

  /// The form as JSON.
  public var json: JSONValue { root.json }
}

extension Schema {
  /// The form in which a person enters a value for the schema.
  public var form: SchemaForm { SchemaForm(program) }
}

/// One input of a form.
public struct FormField: Sendable, Hashable {
  /// The kind of input for a value.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A line of text.
    case text
    /// A text that isn't displayed.
    case password
    /// A number that may have a fraction.
    case number
    case integer
    /// Yes or no.
    case toggle
    /// One of `options`.
    case select
    /// Any number of values with the input `element`. If the first ones differ, `fields` contains
    /// their inputs.
    case list
    /// An object with the keys of `fields`.
    case group
    /// An object with keys that the user chooses, and values with the input `element`.
    case map
    /// One of `branches`, with `fields` that all of them share.
    case choice
    /// Any value, as JSON text.
    case json
  }

  /// The location of the value. `-` represents an element of a list, and `*` a key that the user
  /// chooses.
  public internal(set) var pointer: JSONPointer
  /// The key in the surrounding object. `nil` for the whole value and for elements.
  public internal(set) var key: String?
  /// The schema's title, or the key in words.
  public internal(set) var label: String
  /// The schema's description.
  public internal(set) var help: String?
  public internal(set) var kind: Kind
  /// Whether the surrounding object requires it.
  public internal(set) var isRequired = false
  /// Whether `null` is allowed.
  public internal(set) var isNullable = false
  /// Whether it is deprecated. `help` may name the replacement.
  public internal(set) var isDeprecated = false
  /// Whether it is displayed but can't be changed.
  public internal(set) var isReadOnly = false
  /// The value that applies if the person enters none.
  public internal(set) var defaultValue: JSONValue?
  /// The examples in the schema.
  public internal(set) var examples: [JSONValue] = []
  /// The text to show in an empty input.
  public internal(set) var placeholder: String?
  /// The bounds of numbers, and of the lengths of texts, lists and maps.
  public internal(set) var limits = FormLimits()
  /// A regular expression (ECMA-262) that a text must match.
  public internal(set) var pattern: String?
  /// The format of a text, such as `date-time`.
  public internal(set) var format: String?
  /// The unit of a number: `seconds`.
  public internal(set) var unit: String?
  /// The values of a `select`.
  public internal(set) var options: [FormOption] = []
  /// The fields of a `group`, a `choice`, or a `list` whose first elements differ, in the schema's
  /// order.
  public internal(set) var fields: [FormField] = []
  /// The input for each element of a `list` or each value of a `map`. It contains one field or
  /// none.
  public internal(set) var element: [FormField] = []
  /// The alternatives of a `choice`.
  public internal(set) var branches: [FormBranch] = []
  /// The key whose value selects the branch.
  public internal(set) var discriminator: String?
  /// The condition for displaying the input. `nil` means always.
  public internal(set) var condition: FormCondition?
  /// The location of an earlier group with the same description. It is necessary because a schema
  /// may contain itself.
  public internal(set) var sameAs: JSONPointer?
}

/// The bounds that a schema defines.
public struct FormLimits: Sendable, Hashable {
  public internal(set) var minimum: JSONNumber?
  public internal(set) var maximum: JSONNumber?
  /// Whether `minimum` itself is excluded.
  public internal(set) var excludesMinimum = false
  /// Whether `maximum` itself is excluded.
  public internal(set) var excludesMaximum = false
  /// The number of which all values must be multiples.
  public internal(set) var step: JSONNumber?
  /// The smallest number of characters, elements or keys.
  public internal(set) var minimumCount: Int?
  /// The largest number of characters, elements or keys.
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
  /// The input for the value in this branch. A group has only the fields that the choice doesn't
  /// have already.
  public let field: FormField
}

/// The condition for displaying a field.
public struct FormCondition: Sendable, Hashable {
  /// A key of the same object.
  public let key: String
  public let values: [JSONValue]
  /// Whether the field is displayed if the key does not have one of the values.
  public let isNegated: Bool
}
