import AgentJSON
import Testing

@Suite struct JSONNodeTests {
  let document: JSONDocument

  init() throws {
    document = try JSONDocument(
      parsing: """
        {
          "naïve": "é", "list": [1, [2, 3], {"deep": true}, 4],
          "k\\u0065y": -7
        }
        """)
  }

  @Test func `members keep order, keys and places`() {
    let members = Array(document.root.members)
    #expect(members.map(\.key) == ["naïve", "list", "key"])
    #expect(members.map(\.keyPlace.description) == ["2:3", "2:17", "3:3"])
    #expect(members.map(\.value.place.description) == ["2:12", "2:25", "3:15"])
    #expect(members[2].hasKey("key"))
    #expect(!members[2].hasKey("kez"))
  }

  @Test func `keys and indices find values`() {
    #expect(document.root["key"]?.int == -7)
    #expect(document.root["naïve"]?.string == "é")
    #expect(document.root["list"]?.count == 4)
    #expect(document.root["list"]?[1]?[1]?.int == 3)
    #expect(document.root["list"]?[3]?.int == 4)
    #expect(document.root["list"]?[2]?["deep"]?.bool == true)
    #expect(document.root["list"]?[4] == nil)
    #expect(document.root["list"]?[-1] == nil)
    #expect(document.root["none"] == nil)
    #expect(document.root["list"]?["deep"] == nil)
  }

  @Test func `a node knows its bytes and its pointer`() throws {
    let node = try #require(document.root["list"]?[2])
    #expect(String(decoding: node.bytes, as: UTF8.self) == #"{"deep": true}"#)
    #expect(node["deep"]?.pointer.description == "/list/2/deep")
    #expect(document.root["list"]?.elements.map(\.kind) == [.number, .array, .object, .number])
  }

  @Test func `a document made from a value has the same nodes`() throws {
    let made = JSONDocument(document.root.value)
    #expect(made.text == #"{"naïve":"é","list":[1,[2,3],{"deep":true},4],"key":-7}"#)
    let read = try JSONDocument(parsing: made.text)
    #expect(made.root["list"]?[2]?["deep"]?.range == read.root["list"]?[2]?["deep"]?.range)
    #expect(made.root.members.map(\.keyOffset) == read.root.members.map(\.keyOffset))
    #expect(made.root["key"]?.int == -7)
  }
}
