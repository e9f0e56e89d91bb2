@testable import AgentModules
import AgentJSON
import TestSupport
import Testing

private let manifest =
  "{\"name\": \"talk\", \"version\": \"1.2.0\", \"command\": [\"./run\"], \"processes\": {}}"

private func module() throws -> TestFolder {
  let folder = try TestFolder()
  try folder.write("talk/module.json", manifest)
  try folder.write("talk/run", "#!/bin/sh\n", mode: 0o755)
  try folder.write("talk/data/empty", "")
  try folder.write("talk/.git/config", "private")
  return folder
}

@Test func `a packed module is installed unchanged, without hidden files`() throws {
  let folder = try module()
  let file = try ModulePackage.pack(folder: folder.path + "/talk").write(into: folder.path)
  #expect(file == folder.path + "/talk-1.2.0.agentmodule")
  try folder.write("agent/modules/other/x", "")
  let installed = try ModulePackage.install(file, into: folder.path + "/agent/modules")
  #expect(
    installed.name == "talk" && installed.version == SemanticVersion(major: 1, minor: 2, patch: 0))
  #expect(folder.text("agent/modules/talk/run") == "#!/bin/sh\n")
  #expect(folder.contains("agent/modules/talk/data/empty"))
  #expect(!folder.contains("agent/modules/talk/.git"))
  #expect(!folder.contains("agent/modules/.talk.installing"))
}

@Test func `the executable bit survives, and equal modules give equal bytes`() throws {
  let folder = try module()
  let entries = try ModuleFolder(path: folder.path + "/talk").entries()
  let bytes = try TarArchive.bytes(of: entries)
  #expect(try TarArchive.entries(of: bytes) == entries)
  #expect(entries.contains { $0.content == .file(Array("#!/bin/sh\n".utf8), executable: true) })
  #expect(bytes.count % TarArchive.block == 0)
}

@Test func `an installed module is never overwritten`() throws {
  let folder = try module()
  try folder.write("modules/talk/mine", "keep")
  let error = #expect(throws: ModulePackageError.self) {
    try ModulePackage.install(folder.path + "/talk", into: folder.path + "/modules")
  }
  #expect(error?.code == .installedAlready)
  #expect(folder.text("modules/talk/mine") == "keep")
}

@Test(arguments: ["../evil", "/etc/evil", "a/../../evil", "a//b", "./../evil", "a/./b"])
func `a path out of the folder is refused before anything is written`(
  path: String
) throws {
  let folder = try TestFolder()
  let bytes = try TarArchive.bytes(of: [
    TarEntry(path: "module.json", content: .file(Array(manifest.utf8), executable: false)),
    TarEntry(path: path, content: .file([1], executable: false)),
  ])
  try folder.write("p.agentmodule", String(decoding: bytes, as: UTF8.self))
  let error = #expect(throws: ModulePackageError.self) {
    try ModulePackage.read(folder.path + "/p.agentmodule")
  }
  #expect(error?.code == .unsafePath)
}

@Test func `links, damage and truncation are refused`() throws {
  let file = TarEntry(path: "module.json", content: .file(Array(manifest.utf8), executable: false))
  let sound = try TarArchive.bytes(of: [file])
  var damaged = sound
  damaged[3] ^= 1
  #expect(throws: TarFailure.damaged(offset: 0)) { try TarArchive.entries(of: damaged) }
  #expect(throws: TarFailure.cutShort) { try TarArchive.entries(of: Array(sound.prefix(600))) }
  #expect(throws: TarFailure.cutShort) { try TarArchive.entries(of: []) }
  var header = TarHeader()
  header.set(.name, "link")
  header.set(.size, octal: 0)
  header.set(.magic, "ustar\u{0}00")
  header.set(.kind, "2")
  let link = header.sealed + [UInt8](repeating: 0, count: 1024)
  #expect(throws: TarFailure.unsupported(path: "link", kind: "2")) {
    try TarArchive.entries(of: link)
  }
}

@Test func `a long path is kept whole, and one that is too long is refused`() throws {
  let long = String(repeating: "folder/", count: 20) + "name"
  let entry = TarEntry(path: long, content: .file([7], executable: false))
  #expect(try TarArchive.entries(of: TarArchive.bytes(of: [entry])) == [entry])
  let endless = TarEntry(path: String(repeating: "x", count: 101), content: .folder)
  #expect(throws: TarFailure.self) { try TarArchive.bytes(of: [endless]) }
}

@Test func `a module without its library isn't packed`() throws {
  let folder = try TestFolder()
  try folder.write(
    "m/module.json",
    "{\"name\": \"m\", \"version\": \"1.0.0\", \"library\": \"libm.so\", \"abi\": 1}")
  let error = #expect(throws: ModulePackageError.self) {
    try ModulePackage.pack(folder: folder.path + "/m")
  }
  #expect(error?.code == .libraryMissing)
}

/// The reports of packages that were made to do harm.
@Suite struct HostilePackageTests {
  private let manifestFile = TarEntry(
    path: "module.json", content: .file(Array(manifest.utf8), executable: false))

  private func read(_ bytes: [UInt8]) throws -> ModulePackageError? {
    let folder = try TestFolder()
    let path = folder.path + "/p.agentmodule"
    try FileSystem.replace(path, with: bytes)
    do throws(ModulePackageError) {
      _ = try ModulePackage.read(path)
      return nil
    } catch {
      return error
    }
  }

  private func read(_ entries: [TarEntry]) throws -> ModulePackageError? {
    try read(TarArchive.bytes(of: [manifestFile] + entries))
  }

  private func file(_ path: String) -> TarEntry {
    TarEntry(path: path, content: .file([1], executable: false))
  }

  @Test(arguments: ["-0000000010", "-1", "+7", "0x10", "8", "7777777777777", " "])
  func `a size that isn't octal is damage and doesn't trap`(size: String) throws {
    var header = TarHeader()
    header.set(.name, "module.json")
    header.set(.magic, "ustar\u{0}00")
    header.set(.size, size)
    header.set(.kind, "0")
    let bytes = header.sealed + [UInt8](repeating: 0, count: 2048)
    let failure = #expect(throws: TarFailure.self) { try TarArchive.entries(of: bytes) }
    #expect(failure == .damaged(offset: 0) || failure == .cutShort)
  }

  @Test func `two files of one path are refused, however they are spelled`() throws {
    for twice in ["module.json", "./module.json"] {
      #expect(try read([file("main.py"), file(twice)])?.code == .unsafePath)
    }
    #expect(try read([file("a"), file("a/b")])?.code == .unsafePath)
    #expect(try read([TarEntry(path: "a", content: .folder), file("a")])?.code == .unsafePath)
    // A folder may be named again, as some programs do.
    let folder = TarEntry(path: "a", content: .folder)
    #expect(try read([folder, folder, file("a/b")]) == nil)
  }

  @Test(arguments: ["a\u{1b}[8m", "a\nb", "a\u{7f}", "a\u{9b}2J", "a\u{202e}gpj", "a\u{2028}b"])
  func `a name with invisible characters is refused and shown without them`(
    name: String
  ) throws {
    let error = try #require(try read([file(name)]))
    #expect(error.code == .unsafePath)
    #expect(
      error.message.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
      })
  }

  @Test func `a name that isn't UTF-8 is refused`() throws {
    var header = TarHeader()
    header.set(.name, [0x61, 0xff, 0x62])
    header.set(.magic, "ustar\u{0}00")
    header.set(.size, octal: 0)
    header.set(.mode, octal: 0o644)
    header.set(.kind, "0")
    let bytes = header.sealed + [UInt8](repeating: 0, count: 1024)
    #expect(throws: TarFailure.unreadablePath(offset: 0)) { try TarArchive.entries(of: bytes) }
    #expect(try read(bytes)?.code == .unsafePath)
  }

  @Test func `an archive with too many files is refused`() throws {
    var header = TarHeader()
    header.set(.name, "a")
    header.set(.magic, "ustar\u{0}00")
    header.set(.size, octal: 0)
    header.set(.mode, octal: 0o644)
    header.set(.kind, "0")
    var bytes: [UInt8] = []
    bytes.reserveCapacity((TarArchive.maxEntries + 3) * TarArchive.block)
    for _ in 0...TarArchive.maxEntries { bytes += header.sealed }
    bytes += [UInt8](repeating: 0, count: 1024)
    #expect(throws: TarFailure.tooManyEntries) { try TarArchive.entries(of: bytes) }
  }

  @Test func `a module can't have the host's name`() throws {
    let text = "{\"name\": \"agent\", \"version\": \"1.0.0\", \"command\": [\"./run\"]}"
    let bytes = try TarArchive.bytes(of: [
      TarEntry(path: "module.json", content: .file(Array(text.utf8), executable: false))
    ])
    #expect(try read(bytes)?.problems.map(\.code) == ["reserved_name"])
  }

  @Test func `a package can be inspected before it is installed`() throws {
    let folder = try module()
    let package = try ModulePackage.load(folder.path + "/talk")
    #expect(package.manifest.name == "talk" && !folder.contains("modules"))
    try folder.write("modules/other/x", "")
    let installed = try ModulePackage.installed(by: package, into: folder.path + "/modules")
    #expect(installed.name == "talk")
  }
}
