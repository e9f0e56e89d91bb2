import AgentJSON

/// Reads the keywords of one schema object and notes each that has the wrong form.
struct KeywordReader {
  let schema: JSONObject
  let location: SchemaLocation
  private(set) var faults: [(token: String?, message: String)] = []

  init(_ schema: JSONObject, at location: SchemaLocation) {
    self.schema = schema
    self.location = location
  }

  mutating func refuse(_ key: String, _ message: String) {
    faults.append((key, message))
  }

  /// The keyword's value by `read`; a value that it can't read is a fault.
  private mutating func read<T>(
    _ key: String, _ form: String, _ read: (JSONValue) -> T?
  ) -> T? {
    guard let value = schema[key] else { return nil }
    if let result = read(value) { return result }
    refuse(key, "\"\(key)\" must be \(form), not \(FoundText.of(value)).")
    return nil
  }

  mutating func text(_ key: String) -> String? {
    read(key, "a string") { $0.string }
  }

  mutating func flag(_ key: String) -> Bool {
    read(key, "true or false") { $0.bool } ?? false
  }

  mutating func number(_ key: String) -> JSONNumber? {
    read(key, "a number") { value in
      guard case .number(let number) = value else { return nil }
      return number
    }
  }

  mutating func divisor(_ key: String) -> JSONNumber? {
    guard let number = number(key) else { return nil }
    if number > 0 { return number }
    refuse(key, "\"\(key)\" must be more than 0, not \(number.text).")
    return nil
  }

  mutating func count(_ key: String) -> Int? {
    read(key, "a whole number that is not negative") { value in
      guard case .number(let number) = value, number.isInteger, number >= 0 else { return nil }
      // Beyond Int no text and no list can be, so that the greatest one means the same.
      return number.int ?? .max
    }
  }

  mutating func list(_ key: String) -> [JSONValue]? {
    read(key, "an array") { $0.array }
  }

  mutating func texts(_ key: String) -> [String]? {
    read(key, "an array of strings that all differ", Self.distinctTexts)
  }

  mutating func textLists(_ key: String) -> [(String, [String])]? {
    read(key, "an object of arrays of strings") { value in
      guard let object = value.object else { return nil }
      var result: [(String, [String])] = []
      for (key, value) in object {
        guard let texts = Self.distinctTexts(value) else { return nil }
        result.append((key, texts))
      }
      return result
    }
  }

  mutating func types() -> TypeSet? {
    read("type", "the name of a type or an array of such names") { value in
      if let name = value.string { return TypeSet(named: name) }
      guard let names = Self.distinctTexts(value), !names.isEmpty else { return nil }
      var types: TypeSet = []
      for name in names {
        guard let type = TypeSet(named: name) else { return nil }
        types.formUnion(type)
      }
      return types
    }
  }

  /// The places of the schemas in a list that must not be empty.
  mutating func schemas(in key: String) -> [SchemaLocation]? {
    guard let list = list(key) else { return nil }
    if list.isEmpty { refuse(key, "\"\(key)\" must hold at least one schema.") }
    let place = location.appending(key)
    return list.indices.map { place.appending(String($0)) }
  }

  /// The places of the schemas in an object of schemas.
  mutating func schemas(by key: String) -> [(String, SchemaLocation)]? {
    guard let object = read(key, "an object of schemas", { $0.object }) else { return nil }
    let place = location.appending(key)
    return object.keys.map { ($0, place.appending($0)) }
  }

  func schema(at key: String) -> SchemaLocation? {
    schema[key] == nil ? nil : location.appending(key)
  }

  private static func distinctTexts(_ value: JSONValue) -> [String]? {
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count && Set(texts).count == texts.count ? texts : nil
  }
}
