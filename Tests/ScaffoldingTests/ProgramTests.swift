import AgentModules
import Testing

@Suite struct ProgramTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ command: String..., in place: String = "") throws -> Program {
    try Program(command, in: place.isEmpty ? folder.path : FileSystem.join(folder.path, place))
  }

  @Test func `success returns 0, and an existing target 1 without the usage`() throws {
    #expect(try run("create-agent", "ada", "--empty").status == 0)
    let again = try run("create-agent", "ada", "--empty")
    #expect(again.status == 1)
    #expect(again.errors.hasSuffix("ada exists already; nothing was written.\n"))
    #expect(again.errors.split(separator: "\n").count == 1)
  }

  @Test func `a missing agent returns 4 and the searched folder`() throws {
    let lost = try run("add-agent-module", "m")
    #expect(lost.status == 4)
    let place = try #require(FileSystem.realPath(folder.path))
    #expect(lost.errors.hasPrefix("There is no settings.json in \(place) or above it."))
    #expect(!lost.errors.contains("Usage:"))
  }

  @Test func `wrong usage returns 2 and shows the usage`() throws {
    for program in ["create-agent", "add-agent-module"] {
      for arguments in [[], ["--wrong"], ["m", "--language", "cobol"]] {
        let wrong = try Program([program] + arguments, in: folder.path)
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("\nUsage: \(program) "))
        #expect(!wrong.errors.hasPrefix("Error:"))
      }
    }
    let name = try run("create-agent", ".hidden")
    #expect(name.status == 2)
    #expect(name.errors == "\".hidden\" can't be an agent's folder.\n")
  }

  @Test func `a problem of another module can't move the cursor`() throws {
    #expect(try run("create-agent", "ada", "--empty").status == 0)
    #expect(try run("add-agent-module", "other", "--enable", in: "ada").status == 0)
    let manifest = FileSystem.join(folder.path, "ada/modules/other/module.json")
    let text = String(decoding: try FileSystem.read(manifest), as: UTF8.self)
    let key = #""\u001b[2J\u202e": 1, "#
    try FileSystem.replace(
      manifest, with: Array(text.replacing("{", with: "{\(key)", maxReplacements: 1).utf8))
    let made = try run("add-agent-module", "mine", "--enable", in: "ada")
    let said = made.output + made.errors
    #expect(said.contains("\\u{202e}"), "\(said)")
    #expect(!said.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test func `an administrator is stored with a hash, and the password nowhere`() throws {
    try FileSystem.replace("\(folder.path)/password", with: Array("correct horse\n".utf8))
    let made = try Program(
      ["create-agent", "ada", "--empty", "--admin", "ada", "--password-stdin"], in: folder.path,
      input: "password")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try folder.filesThatHold("correct horse") == ["\(folder.path)/password"])
    let settings = try FileSystem.read("\(folder.path)/ada/settings.json")
    #expect(String(decoding: settings, as: UTF8.self).contains("$argon2id$v=19$m=65536,t=2,p=1$"))
    let nobody = try run("create-agent", "bob", "--empty", "--admin", "bob", "--password-stdin")
    #expect(
      nobody.status == 2 && nobody.errors.contains("The password is missing"), "\(nobody.errors)")
    let name = try Program(
      ["create-agent", "bob", "--empty", "--admin", "b b", "--password-stdin"], in: folder.path,
      input: "password")
    #expect(name.status == 2 && name.errors.contains("letters, digits"), "\(name.errors)")
    #expect(!FileSystem.exists("\(folder.path)/bob"))
  }

  @Test(arguments: ["create-agent", "add-agent-module"])
  func `help ends with an example`(program: String) throws {
    let help = try run(program, "--help")
    #expect(help.status == 0)
    #expect(help.output.split(separator: "\n").last?.hasPrefix("Example: \(program) ") == true)
  }
}
