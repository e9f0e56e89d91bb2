import AgentModules
import AgentSettings
import Glibc
import TestSupport
import Testing

/// docs/mistakes.md shows mistakes and the messages; it may not say anything else than the program.
@Suite struct MistakesPageTests {
  private struct Mistake {
    let settings: String
    let message: [String]
  }

  @Test func `every message on the page is the program's`() throws {
    let mistakes = try Self.mistakes(
      on: String(decoding: FileSystem.read("\(Self.repository)/docs/mistakes.md"), as: UTF8.self))
    #expect(mistakes.count >= 30)
    let folder = try TestFolder()
    let manifest = try FileSystem.read("\(Self.repository)/modules/system/module.json")
    try folder.write("modules/system/module.json", String(decoding: manifest, as: UTF8.self))
    try folder.write("modules/system/libsystem.so", "")
    for mistake in mistakes {
      try folder.write("settings.json", mistake.settings)
      let result = SettingsFile.load(
        from: folder.path, options: .init(environment: ["LIMIT": "90"]))
      // In the agent's own folder its name isn't part of messages.
      let lines = ProblemDigest(result.problems).lines.map {
        $0.text.replacing("\(folder.path)/", with: "")
      }
      #expect(lines == mistake.message, "\(mistake.settings)")
    }
  }

  /// The pairs of blocks: settings, or processes in them, and what is said about them.
  private static func mistakes(on page: String) -> [Mistake] {
    var mistakes: [Mistake] = []
    var kind = ""
    var lines: [String] = []
    var settings: [String] = []
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```"), line.count > 3 {
        kind = String(line.dropFirst(3))
        lines = []
      } else if line == "```" {
        if kind == "json" { settings = lines }
        if kind == "text" { mistakes.append(Mistake(settings: file(settings), message: lines)) }
        kind = ""
      } else {
        lines.append(String(line))
      }
    }
    return mistakes
  }

  private static func file(_ snippet: [String]) -> String {
    if snippet.first == "{" { return snippet.joined(separator: "\n") }
    let processes = snippet.map { "    " + $0 }.joined(separator: "\n")
    return """
      {
        "enabled_modules": ["system"],
        "processes": {
      \(processes)
        }
      }
      """
  }

  /// This file is three levels below the repository.
  private static var repository: String {
    let resolved = realpath(#filePath, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
  }
}
