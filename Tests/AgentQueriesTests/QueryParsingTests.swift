import AgentQueries
import AgentJSON
import Testing

struct QueryParsingTests {
  @Test(arguments: [
    "krakenfx => count() by pair every 30 seconds over last 60 seconds => @filter(count > 100)",
    "krakenfx => count() by pair at the end => @filter(count != null)",
    #"""
    raw mnemonic!:(A|B) .flags:nocount
    => lastv(value:object):if(\mnemonic:A) as A, lastv(uom:object):if(\mnemonic:A) as A_uom
       over last second every second
    => @filter(A != null)
    """#,
    #"__message -__delete:* => @filter(message:lower():contains("x") && author->name:lower() != "x")"#,
  ])
  func `the queries of users are read`(text: String) throws {
    let query = try Query(parsing: text)
    #expect(!query.tree.pipes.isEmpty)
  }
}
