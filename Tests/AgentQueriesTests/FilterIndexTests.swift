import AgentJSON
import AgentQueries
import TestSupport
import Testing

struct FilterIndexTests {
  private static let texts = [
    "a", "B", "ab", "7", "7.0", "true", "null", "\u{212A}", "k", "\u{E9}",
  ]

  private static func term(_ generator: inout SeededGenerator) -> String {
    let field = ["type", "f", "g", "h.i"].randomElement(using: &generator) ?? "f"
    let value = "\"\(texts.randomElement(using: &generator) ?? "a")\""
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return "\(field):*"
    case 1: return "\(field):a*"
    case 2:
      let lower = Int.random(in: -3...9, using: &generator)
      let upper = lower + Int.random(in: -1...4, using: &generator)
      let sign = Bool.random(using: &generator) ? "#" : ""
      return "\(field)\(sign):[\(upper % 3 == 0 ? "*" : "\(lower)") TO \(upper)]"
    case 3: return "\(field)!:\(value)"
    case 4: return "-\(field):\(value)"
    case 5: return "\(field):(\(value)|\"z\")"
    case 6: return "\(field)#:7"
    default: return "\(field):\(value)"
    }
  }

  private static func filter(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 1...4, using: &generator)
    var text = "type:\(texts.randomElement(using: &generator) ?? "a")"
    if Bool.random(using: &generator) { text = "*" }
    for _ in 0..<count {
      text += Int.random(in: 0..<5, using: &generator) == 0 ? " | " : " "
      text += term(&generator)
    }
    return text
  }

  private static func value(_ generator: inout SeededGenerator, deep: Bool = true) -> JSONValue {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return 7
    case 3: return JSONValue(Double(Int.random(in: -8...20, using: &generator)) / 2)
    case 4: return "e\u{301}"
    case 5 where deep: return .array([value(&generator, deep: false), value(&generator)])
    default: return .string(texts.randomElement(using: &generator) ?? "a")
    }
  }

  private static func event(_ generator: inout SeededGenerator) -> JSONObject {
    var object: JSONObject = ["type": value(&generator)]
    for field in ["f", "g"] where Bool.random(using: &generator) {
      object[field] = value(&generator)
    }
    object["h"] = ["i": value(&generator)]
    return object
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `an index finds the same filters as asking each`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var index = FilterIndex<Int>()
    var filters: [Int: EventFilter] = [:]
    for round in 0..<600 {
      let id = Int.random(in: 0..<200, using: &generator)
      if round % 4 == 3 {
        let removed = index.remove(id)
        #expect(removed == (filters.removeValue(forKey: id) != nil))
      } else {
        let filter = try EventFilter(parsing: Self.filter(&generator))
        index.insert(filter, id: id)
        filters[id] = filter
      }
      #expect(index.count == filters.count)
      let event = Self.event(&generator)
      let expected = Set(filters.filter { $0.value.matches(event) }.keys)
      let found = index.matching(event)
      #expect(found.count == Set(found).count, "seed \(seed), \(event)")
      let wrong = expected.symmetricDifference(found).map { filters[$0]?.tree.kind }
      #expect(wrong.isEmpty, "seed \(seed), \(event)")
      if case .string(let type) = event["type"], !found.isEmpty {
        #expect(index.mayMatch(type: type), "seed \(seed), \(event)")
      }
    }
  }

  @Test func `no filter for other types may match an event`() throws {
    var index = FilterIndex<Int>()
    #expect(!index.mayMatch(type: "a"))
    index.insert(try EventFilter(parsing: "a x:1"), id: 1)
    #expect(index.mayMatch(type: "A"))
    #expect(!index.mayMatch(type: "b"))
    index.insert(try EventFilter(parsing: "x:1"), id: 2)
    #expect(index.mayMatch(type: "b"))
    index.remove(2)
    #expect(!index.mayMatch(type: "b"))
  }

  @Test func `an emptied index finds nothing`() throws {
    var index = FilterIndex<String>()
    index.insert(try EventFilter(parsing: "a x:1"), id: "one")
    index.insert(try EventFilter(parsing: "*"), id: "two")
    #expect(index.matching(["type": "A", "x": 1.0]).sorted() == ["one", "two"])
    index.remove("one")
    index.remove("two")
    #expect(index.matching(["type": "A", "x": 1]).isEmpty)
    let again = index.remove("one")
    #expect(!again)
  }
}
