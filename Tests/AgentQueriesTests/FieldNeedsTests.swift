import AgentQueries
import Testing

/// What of an event a query looks at.
@Suite struct FieldNeedsTests {
  private func needs(_ text: String) throws -> FieldNeeds {
    try QueryPlan(Query(parsing: text)).needs
  }

  @Test(arguments: [
    ("trade => count() every minute", []),
    ("* => count() every minute", []),
    ("(trade | order) => count() every minute", []),
    ("type!:Trade => count() every minute", ["type"]),
    ("trade side:buy => sum(price) by pair every minute", ["pair", "price", "side", "type"]),
    (
      "trade => @filter price > 5 => max(amount#) by lower(pair) every minute",
      ["amount", "pair", "price"]
    ),
    ("trade => lastv(value:object):if(\\mnemonic:X) as X every minute", ["mnemonic", "value"]),
    ("trade => price * 2 as double", ["price"]),
    ("trade => avg(who.age), first(a->b->c) every minute", ["a", "who", "who.age"]),
    (
      "trade => @sort price => @top 3, amount by pair => @yield (side as s)",
      ["amount", "pair", "price", "side"]
    ),
    ("trade => [=> count() every minute union => sum(price) every minute]", ["price"]),
  ])
  func `only named members are read`(text: String, names: [String]) throws {
    #expect(try needs(text) == .only(Set(names)))
  }

  @Test(arguments: [
    "trade", "trade => @filter price > 5", "trade => @sort price => @top 3, price",
    "trade => @set price * 2 as double", "trade => last(*) every minute", "trade => @yield",
    "trade => @throttle 5, 1 minute", "trade => [=> count() every minute union => @filter a > 1]",
  ])
  func `a query for whole events reads all members`(text: String) throws {
    #expect(try needs(text) == .all)
  }
}
