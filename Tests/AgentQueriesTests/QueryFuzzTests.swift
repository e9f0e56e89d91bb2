import AgentJSON
import AgentQueries
import TestSupport
import Testing

/// Whatever is written, reading it ends, with a query that can be compiled or an error that points
/// into the text.
struct QueryFuzzTests {
  private static let seeds = [
    "trades pair:(BTC|ETH) -test:true x#:[1 TO 2] y!:z n~2 -- c\n=> avg(price#) as mean by pair "
      + "over last 60 seconds every 30 s => @filter count > 100 && !(a ?? 1 == \"x\")",
    #"a => lastv(v:object):if(\m:A) as A over current day at the end => @top 3, A desc by k"#,
    "def f(a, &b): a + b * ${a}; def @p(x): @sort x => @latest; def @@c: 'q${z}'; "
      + "* => f(1, x)#, @@c, {b c} => @p y",
    "* => [a union b => @set 1 as x join on k c] => @throttle 1, 5 min by x => @debounce 1 hour",
    "(a|b&c) 'q\\'q':\"x y\" f:*x? => (1, 2 as b), (x,), *->a.b[0]['k'], -_ % 7 => @yield",
    "é:ü~1 => \"\u{1F600}\":length()\u{A0}as ö",
  ]

  private static let pieces = [
    "=>", "(", ")", "[", "]", "{", "}", "\"", "'", "\\", ":", "|", "&", "-", "--", "\n", "->", "#",
    "$", "@", "@@", "??", "if(", "as ", " by ", " every ", " over ", "last ", "TO", "*", "~", "9",
    "99999999999999999999", "1e999", "def ", ";", ",", "\u{0}", "\u{FEFF}", "\u{301}", "😀", "!",
    "=",
  ]

  private static func mutated(_ generator: inout SeededGenerator) -> String {
    var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let position = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, position + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(position..<end)
      case 1: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 2 where position < bytes.count:
        bytes[position] = UInt8.random(in: 0...255, using: &generator)
      case 3: bytes.removeSubrange(position...)
      default:
        let piece = pieces.randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: Array(piece.utf8), at: position)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `mutated queries are read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var read = 0
    for _ in 0..<1_500 {
      let text = Self.mutated(&generator)
      do throws(QueryError) {
        let query = try Query(parsing: text)
        read += 1
        try Self.use(query)
      } catch {
        let length = text.utf8.count
        #expect(error.range.start <= error.range.end && error.range.end <= length, "\(text)")
        #expect(error.place.line >= 1 && error.place.column >= 1, "\(text)")
        #expect(error.message.last == "." || error.message.last == "?", "\(error)")
      }
    }
    #expect(read > 50, "seed \(seed): so few queries say little about what follows reading")
  }

  private static func use(_ query: Query) throws(QueryError) {
    let row: JSONObject = ["type": "a", "x": 1, "v": "7", "l": [1, "a"], "timestamp": 5]
    _ = EventFilter(query.tree.filter).matches(row)
    for pipe in query.tree.pipes {
      for expression in expressions(of: pipe) {
        _ = try CompiledExpression(expression, in: query).evaluate(row, timestamp: 5)
      }
    }
  }

  private static func expressions(of pipe: PipeTree) -> [ExpressionTree] {
    switch pipe.kind {
    case .select(let select): (select.columns + select.groups).map(\.expression)
    case .filter(let condition): [condition]
    case .sort(let keys): keys.map(\.expression)
    case .top(_, let keys, let groups): keys.map(\.expression) + groups.map(\.expression)
    case .yield(let value): value.map { [$0] } ?? []
    case .set(let columns): columns.map(\.expression)
    case .latest: []
    case .throttle(_, _, let groups), .debounce(_, let groups): groups.map(\.expression)
    case .combine(let combination): combination.branches.flatMap { $0.flatMap(expressions) }
    }
  }
}
