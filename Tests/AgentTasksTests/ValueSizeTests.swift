import AgentJSON
import AgentTasks
import Testing

/// The sizes by which members of events are left out.
@Suite struct ValueSizeTests {
  private static func list(of count: Int) -> JSONValue {
    .array(Array(repeating: ["a": 1], count: count))
  }

  @Test func `a member of 64 KiB stays in an event, however many objects it has`() {
    // `[{"a":1},…]` has eight bytes for each object, and one more.
    let kept: JSONObject = ["list": Self.list(of: 8_191)]
    #expect(JSONValue.object(kept).bytes().count <= 65_536 + 9)
    #expect(kept.fitForEvent() == kept)
    let cut = JSONObject(["list": Self.list(of: 8_192), "n": 1]).fitForEvent()
    #expect(cut == ["n": 1, "omitted": ["list"]])
  }
}
