import AgentJSON
import AgentModules
import AgentSettings
import Testing

private let text = """
  {
    "enabled_modules": ["trades"],
    "processes": {
      "x":   {"type": "krakenfx",   "enabled": true},
      "y": {"type": "krakenfx"}
    }
  }

  """

private func editing(
  _ change: (inout SettingsEditor) throws(SettingsEditError) -> Void
) throws -> String {
  var editor = SettingsEditor(try JSONDocument(parsing: text))
  try change(&editor)
  return editor.text
}

@Test func `disabling changes one word`() throws {
  let edited = try editing { editor throws(SettingsEditError) in try editor.disableProcess("x") }
  #expect(edited == text.replacing("\"enabled\": true", with: "\"enabled\": false"))
}

@Test func `a process that is enabled by default isn't written`() throws {
  let edited = try editing { editor throws(SettingsEditError) in try editor.enableProcess("y") }
  #expect(edited == text)
}

@Test func `modules are enabled once and disabled by name`() throws {
  let edited = try editing { editor throws(SettingsEditError) in
    try editor.enableModule("talk")
    try editor.enableModule("talk")
    try editor.disableModule("trades")
  }
  #expect(edited == text.replacing("[\"trades\"]", with: "[\"talk\"]"))
}

@Test func `a process is added with the keys that its schema requires`() throws {
  let fixture = try SettingsFixture()
  let result = try fixture.load(text)
  var editor = SettingsEditor(try JSONDocument(parsing: text))
  let catalog = try #require(result.catalog)
  let entry = try editor.addProcess("z", type: "trade_frequency", in: catalog)
  #expect(entry == ["type": "trade_frequency", "enabled": true, "window": 60, "threshold": 2.5])
  #expect(try fixture.load(editor.text).lines == [])
  #expect(editor.text.hasPrefix(String(text.prefix(80))))
  try editor.removeProcess("z")
  #expect(editor.text == text)
}

@Test func `an edit that can't be made is refused`() throws {
  #expect(throws: SettingsEditError.self) {
    try editing { editor throws(SettingsEditError) in try editor.disableProcess("xx") }
  }
  let catalog = try #require(try SettingsFixture().load(text).catalog)
  for example in [
    (name: "x", type: "krakenfx", code: SettingsEditError.Code.nameTaken),
    (name: "a b", type: "krakenfx", code: .invalidName),
    (name: "", type: "krakenfx", code: .invalidName),
    (name: "n", type: "krakenx", code: .unknownType),
    (name: "n", type: "chatbot", code: .unknownType),
  ] {
    var editor = SettingsEditor(try JSONDocument(parsing: text))
    let error = #expect(throws: SettingsEditError.self) {
      try editor.addProcess(example.name, type: example.type, in: catalog)
    }
    #expect(error?.code == example.code)
  }
}

@Test func `a module enabled by its path isn't enabled again by name`() throws {
  let paths = "{\"enabled_modules\": [\"../shared/talk\"], \"modules\": {\"talk\": {}, \"x\": {}}}"
  var editor = SettingsEditor(try JSONDocument(parsing: paths))
  try editor.enableModule("talk")
  #expect(editor.text == paths)
  try editor.removeModule("talk")
  #expect(editor.document.root.value == ["enabled_modules": [], "modules": ["x": [:]]])
}
