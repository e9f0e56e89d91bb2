import AgentJSON
import AgentModules
@testable import AgentSettings
import Glibc
import TestSupport
import Testing

@Test func `the socket is in the folder while its path fits`() throws {
  let temporary = try TestFolder()
  let folder = try AgentFolder.locate(from: temporary.path)
  #expect(folder.socket == temporary.path + "/.agent/agent.sock")
}

@Test func `a socket with too long a path is placed elsewhere, always at the same path`() throws {
  let temporary = try TestFolder()
  let name = String(repeating: "long-", count: 20)
  try temporary.write(name + "/settings.json", "{}")
  let folder = try AgentFolder.locate(from: temporary.path + "/" + name)
  let short = folder.socket(runtimeFolder: "/run/user/7")
  #expect(short.hasPrefix("/run/user/7/agent-") && short.hasSuffix(".sock"))
  #expect(folder.socket(runtimeFolder: "/run/user/7") == short)
  for path in [nil, "relative", String(repeating: "/x", count: 60)] {
    let other = folder.socket(runtimeFolder: path)
    #expect(other.hasPrefix("/tmp/agent-") && other.utf8.count <= AgentFolder.longestSocketPath)
  }
}

@Test func `private folders are created and closed to others`() throws {
  let temporary = try TestFolder()
  let folder = try AgentFolder.locate(from: temporary.path)
  try folder.prepare()
  try folder.prepare()
  #expect(temporary.contains(".agent/logs") && temporary.contains(".agent/lib"))
  try temporary.write("file/.agent", "")
  let blocked = try AgentFolder.locate(from: temporary.path + "/file")
  #expect(throws: (any Error).self) { try blocked.prepare() }
}

@Test func `a folder for sockets in /tmp is refused unless it is ours, closed and no link`() throws
{
  let temporary = try TestFolder()
  let folder = try AgentFolder.locate(from: temporary.path)
  func refusal(_ name: String) -> String? {
    do throws(Problem) {
      try folder.makePrivate("\(temporary.path)/\(name)", mends: false)
      return nil
    } catch {
      return error.message
    }
  }
  #expect(refusal("new") == nil)
  #expect(refusal("new") == nil)
  #expect(symlink("\(temporary.path)/new", "\(temporary.path)/link") == 0)
  #expect(refusal("link")?.contains("isn't a folder") == true)
  for mode: mode_t in [0o755, 0o710, 0o777, 0o500] {
    #expect(chmod("\(temporary.path)/new", mode) == 0)
    #expect(refusal("new")?.contains("not 700") == true)
  }
  // Where nobody else can have been, it is closed.
  try folder.makePrivate("\(temporary.path)/new")
  #expect(refusal("new")?.contains("500") == true)
  try temporary.write("file", "")
  #expect(refusal("file")?.contains("isn't a folder") == true)
}

@Test func `an edit keeps the settings file's mode, also through a link`() throws {
  let temporary = try TestFolder()
  try temporary.write("kept/real.json", "{}", mode: 0o600)
  #expect(symlink(temporary.path + "/kept/real.json", temporary.path + "/settings.json") == 0)
  let folder = try AgentFolder.locate(from: temporary.path)
  try folder.writeSettings(JSONDocument(parsing: "{\"agent\": {}}"))
  #expect(temporary.text("kept/real.json") == "{\"agent\": {}}")
  var status = stat()
  #expect(lstat(temporary.path + "/settings.json", &status) == 0)
  #expect(status.st_mode & S_IFMT == S_IFLNK)
  #expect(stat(temporary.path + "/kept/real.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
}

@Test func `the editors' schemas are written to the private folder`() throws {
  let temporary = try TestFolder()
  let folder = try AgentFolder.locate(from: temporary.path)
  try folder.prepare()
  try folder.writeSchemas(settings: ["title": "mine"])
  let settings = try #require(temporary.text(".agent/settings.schema.json"))
  let module = try #require(temporary.text(".agent/module.schema.json"))
  #expect(try JSONValue(parsing: settings) == ["title": "mine"])
  #expect(try JSONValue(parsing: module)["title"] == "Module manifest")
}
