import AgentJSON

extension FormField {
  /// The field as JSON. Absent values are left out.
  var json: JSONValue {
    var object: JSONObject = [
      "pointer": .string(pointer.description), "label": .string(label),
      "kind": .string(kind.rawValue),
    ]
    object["key"] = key.map { .string($0) }
    object["help"] = help.map { .string($0) }
    for (name, isSo) in marks where isSo { object[name] = true }
    object["default"] = defaultValue
    object["examples"] = Self.list(examples)
    object["placeholder"] = placeholder.map { .string($0) }
    for (name, value) in limits.members { object[name] = value }
    object["pattern"] = pattern.map { .string($0) }
    object["format"] = format.map { .string($0) }
    object["unit"] = unit.map { .string($0) }
    object["options"] = Self.list(options.map(\.json))
    object["discriminator"] = discriminator.map { .string($0) }
    object["condition"] = condition?.json
    object["same_as"] = sameAs.map { .string($0.description) }
    object["fields"] = Self.list(fields.map(\.json))
    object["element"] = element.first?.json
    object["branches"] = Self.list(branches.map(\.json))
    return .object(object)
  }

  private var marks: [(String, Bool)] {
    [
      ("required", isRequired), ("nullable", isNullable), ("deprecated", isDeprecated),
      ("read_only", isReadOnly),
    ]
  }

  private static func list(_ values: [JSONValue]) -> JSONValue? {
    values.isEmpty ? nil : .array(values)
  }
}

extension FormLimits {
  fileprivate var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let minimum { members.append(("minimum", .number(minimum))) }
    if excludesMinimum { members.append(("minimum_excluded", true)) }
    if let maximum { members.append(("maximum", .number(maximum))) }
    if excludesMaximum { members.append(("maximum_excluded", true)) }
    if let step { members.append(("step", .number(step))) }
    if let minimumCount { members.append(("minimum_count", JSONValue(minimumCount))) }
    if let maxCount { members.append(("maximum_count", JSONValue(maxCount))) }
    if isUnique { members.append(("unique", true)) }
    return members
  }
}

extension FormOption {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["value": value, "label": .string(label)]
    object["help"] = help.map { .string($0) }
    return .object(object)
  }
}

extension FormBranch {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["label": .string(label)]
    object["help"] = help.map { .string($0) }
    object["value"] = value
    object["field"] = field.json
    return .object(object)
  }
}

extension FormCondition {
  fileprivate var json: JSONValue {
    ["key": .string(key), isNegated ? "is_not" : "is": .array(values)]
  }
}
