import AgentJSON
import TestSupport

/// Writes schemas at random from few keys and values, so that they say something about the
/// documents of `DocumentGenerator`.
struct SchemaGenerator {
  var dice: SeededGenerator
  private var definitions = 0
  /// Whether each definition has an address of its own, and mostly the same dynamic anchor.
  private var isScattered = false

  init(seed: UInt64) {
    dice = SeededGenerator(seed: seed)
  }

  static let keys = [
    "a", "b", "c", "type", "kind", "x-a", "é", "", "seven77", "eight888", "a \"quoted\" one",
    "exactly sixteen!", "seventeen letters", "a key of more than sixteen bytes",
  ]
  static let texts = [
    "", "a", "b", "ab", "abc", "é", "😀", "cart", "1", "2026-03-01", "exactly sixteen!",
    "a text of more than sixteen bytes", "a text of more than SIXTEEN bytes", "line\nbreak",
  ]
  static let numbers = [
    "0", "1", "2", "3", "5", "-1", "-7", "10", "100", "0.5", "1.0", "1.5", "2.5e0", "1e2", "0.1",
    "0.01", "1e400", "-1e-400", "123456789012345678", "9223372036854775808",
    "12345678901234567890123", "0.3", "4294967296",
  ]

  /// A whole schema, with definitions that refer to each other.
  mutating func document() -> JSONValue {
    definitions = dice.below(4)
    isScattered = dice.percent(25)
    var named: JSONObject = [:]
    for index in 0..<definitions { named["d\(index)"] = definition("urn:d:\(index)") }
    guard case .object(var root) = definition("urn:d:root") else { return schema(1) }
    if definitions > 0 { root["$defs"] = .object(named) }
    if dice.percent(30) { root["$schema"] = .string(dice.pick(Self.drafts, else: "")) }
    return .object(root)
  }

  private static let drafts = [
    "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
  ]

  private mutating func definition(_ address: String) -> JSONValue {
    guard isScattered, case .object(var result) = schema(3) else { return schema(2) }
    result["$id"] = .string(address)
    if dice.percent(80) { result["$dynamicAnchor"] = "m" }
    if dice.percent(20) { result["$recursiveAnchor"] = true }
    return .object(result)
  }

  private mutating func schema(_ depth: Int) -> JSONValue {
    if dice.percent(6) { return .bool(dice.percent(70)) }
    var result: JSONObject = [:]
    for _ in 0...dice.below(4) { add(&result, depth) }
    return .object(result)
  }

  private mutating func add(_ schema: inout JSONObject, _ depth: Int) {
    switch dice.below(depth > 0 ? 9 : 4) {
    case 0: addType(&schema)
    case 1: addValues(&schema)
    case 2: addNumberBounds(&schema)
    case 3: addTextBounds(&schema)
    case 4, 5: addMembers(&schema, depth)
    case 6: addElements(&schema, depth)
    case 7: addCombination(&schema, depth)
    default: addReference(&schema, depth)
    }
  }
}

// MARK: - Values

extension SchemaGenerator {
  mutating func number() -> JSONValue {
    JSONNumber(parsing: dice.pick(Self.numbers, else: "0")).map(JSONValue.number) ?? 0
  }

  mutating func count() -> JSONValue { .number(JSONNumber(dice.below(4))) }

  mutating func key() -> String { dice.pick(Self.keys, else: "a") }

  mutating func value(_ depth: Int = 1) -> JSONValue {
    switch dice.below(depth > 0 ? 8 : 6) {
    case 0: return .null
    case 1: return .bool(dice.percent(50))
    case 2, 3: return number()
    case 4, 5: return .string(dice.pick(Self.texts, else: ""))
    case 6: return .array((0..<dice.below(3)).map { _ in value(depth - 1) })
    default:
      var members: JSONObject = [:]
      for _ in 0..<dice.below(3) { members[key()] = value(depth - 1) }
      return .object(members)
    }
  }

  private mutating func addType(_ schema: inout JSONObject) {
    let names = ["null", "boolean", "integer", "number", "string", "array", "object", "object"]
    let first = dice.pick(names, else: "object")
    let second = dice.pick(names, else: "array")
    schema["type"] =
      dice.percent(70) || first == second ? .string(first) : [.string(first), .string(second)]
  }

  private mutating func addValues(_ schema: inout JSONObject) {
    if dice.percent(50) {
      schema["const"] = value()
    } else {
      schema["enum"] = .array((0...dice.below(4)).map { _ in value() })
    }
  }

  private mutating func addNumberBounds(_ schema: inout JSONObject) {
    let keyword = dice.pick(
      ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], else: "minimum")
    let limit = number()
    if keyword == "multipleOf", case .number(let divisor) = limit, divisor <= 0 { return }
    schema[keyword] = limit
  }

  private mutating func addTextBounds(_ schema: inout JSONObject) {
    switch dice.below(4) {
    case 0: schema["minLength"] = count()
    case 1: schema["maxLength"] = count()
    case 2: schema["format"] = .string(dice.pick(["date", "ipv4", "unheard-of"], else: "date"))
    default: schema["pattern"] = .string(pattern())
    }
  }

  fileprivate mutating func pattern() -> String {
    dice.pick(["^a", "b", "^.$", "^[a-z]+$", "^x-", "é", "[0-9]", "^(a|b)*$", "\\s"], else: "^a")
  }
}

// MARK: - Parts and combinations

extension SchemaGenerator {
  private mutating func addMembers(_ schema: inout JSONObject, _ depth: Int) {
    switch dice.below(10) {
    case 0, 1, 2, 3: schema["properties"] = schemas(depth) { $0.key() }
    case 4: schema["required"] = keys()
    case 5: schema["additionalProperties"] = dice.percent(60) ? false : self.schema(depth - 1)
    case 6: schema["patternProperties"] = schemas(depth) { $0.pattern() }
    case 7:
      schema["propertyNames"] = self.schema(0)
      schema[dice.percent(50) ? "minProperties" : "maxProperties"] = count()
    case 8:
      schema["dependentRequired"] = .object([key(): keys(), "c": keys()])
      if dice.percent(30) { schema["dependencies"] = .object(["a": keys(), "b": self.schema(0)]) }
    default: schema["dependentSchemas"] = schemas(depth) { $0.key() }
    }
    if dice.percent(12) {
      schema["unevaluatedProperties"] = dice.percent(60) ? false : self.schema(depth - 1)
    }
  }

  private mutating func keys() -> JSONValue {
    var names: [String] = []
    for _ in 0..<dice.below(4) {
      let name = key()
      if !names.contains(name) { names.append(name) }
    }
    return .array(names.map(JSONValue.string))
  }

  private mutating func schemas(
    _ depth: Int, _ key: (inout SchemaGenerator) -> String
  ) -> JSONValue {
    var members: JSONObject = [:]
    for _ in 0...dice.below(4) { members[key(&self)] = schema(depth - 1) }
    return .object(members)
  }

  private mutating func list(_ depth: Int) -> JSONValue {
    .array((0...dice.below(3)).map { _ in schema(depth - 1) })
  }

  private mutating func addElements(_ schema: inout JSONObject, _ depth: Int) {
    switch dice.below(8) {
    case 0: schema["prefixItems"] = list(depth)
    case 7:
      schema["items"] = list(depth)
      schema["additionalItems"] = self.schema(depth - 1)
    case 1, 2: schema["items"] = self.schema(depth - 1)
    case 3: schema["uniqueItems"] = true
    case 4: schema[dice.percent(50) ? "minItems" : "maxItems"] = count()
    case 5: schema["unevaluatedItems"] = dice.percent(60) ? false : self.schema(depth - 1)
    default:
      schema["contains"] = self.schema(depth - 1)
      if dice.percent(40) { schema["minContains"] = count() }
      if dice.percent(40) { schema["maxContains"] = count() }
    }
  }

  private mutating func addCombination(_ schema: inout JSONObject, _ depth: Int) {
    switch dice.below(7) {
    case 0: schema["allOf"] = list(depth)
    case 1: schema["anyOf"] = list(depth)
    case 2: schema["oneOf"] = list(depth)
    case 3: schema["not"] = self.schema(depth - 1)
    case 4:
      schema["if"] = self.schema(depth - 1)
      schema["then"] = self.schema(depth - 1)
      schema["else"] = self.schema(depth - 1)
    default: schema[dice.percent(70) ? "oneOf" : "anyOf"] = variants(depth)
    }
  }

  /// Branches that a key distinguishes, mostly.
  private mutating func variants(_ depth: Int) -> JSONValue {
    let branches = (0...dice.below(3)).map { _ -> JSONValue in
      var branch: JSONObject = [
        "properties": ["kind": ["const": .string(dice.pick(Self.texts, else: ""))]]
      ]
      if dice.percent(20) {
        branch["properties"] = ["kind": ["enum": ["a", "b"]], "b": schema(0)]
      }
      if dice.percent(70) { branch["required"] = ["kind"] }
      if dice.percent(50) { add(&branch, depth - 1) }
      return .object(branch)
    }
    return .array(branches)
  }

  private mutating func addReference(_ schema: inout JSONObject, _ depth: Int) {
    if isScattered {
      schema["properties"] = [key(): [dice.percent(80) ? "$dynamicRef" : "$ref": "#m"]]
      if dice.percent(20) { schema["items"] = ["$recursiveRef": "#"] }
      if dice.percent(20) { schema["additionalProperties"] = ["$dynamicRef": "urn:d:0#m"] }
      if dice.percent(60) { schema["$ref"] = .string("urn:d:\(dice.below(definitions))") }
    } else if dice.percent(30) || definitions == 0 {
      schema["properties"] = [key(): ["$ref": "#"]]
    } else {
      schema["$ref"] = .string("#/$defs/d\(dice.below(definitions))")
    }
  }
}
