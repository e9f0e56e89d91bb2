import Foundation
import Testing

@testable import AgentModules

@Suite struct PermittedPathTests {
  @Test func `a path is kept without needless slashes`() throws {
    #expect(try PermittedPath("//var///lib/", for: .write).text == "/var/lib")
    #expect(try PermittedPath("/", for: .read).text == "/")
    #expect(try PermittedPath("/proc", for: .read).text == "/proc")
    #expect(try PermittedPath("/processes", for: .run).text == "/processes")
  }

  @Test(arguments: [
    ("var/lib", PermittedPath.Flaw.relative), ("", .relative), ("/a/../b", .dots), ("/./a", .dots),
    ("/\0var", .hidden("\0")), ("/a\u{202E}b", .hidden("\u{202E}")), ("/a\n", .hidden("\n")),
    ("/proc/self/fd/3", .processFiles), ("//proc//1", .processFiles),
    ("/" + String(repeating: "x", count: 4095), .tooLong),
  ])
  func `a path that would be another one when applied is refused`(
    _ path: String, _ flaw: PermittedPath.Flaw
  ) {
    #expect(throws: flaw) { try PermittedPath(path, for: .read) }
  }

  @Test func `settings may name a path relative to the agent's folder`() throws {
    #expect(try PermittedPath("data", for: .read, in: "/srv/agent").text == "/srv/agent/data")
    #expect(try PermittedPath("../x/./y", for: .read, in: "/srv/agent").text == "/srv/x/y")
    #expect(try PermittedPath("../../../../..", for: .read, in: "/srv/agent").text == "/")
    #expect(throws: PermittedPath.Flaw.processFiles) {
      try PermittedPath("../../proc/1", for: .read, in: "/srv/agent")
    }
    #expect(throws: PermittedPath.Flaw.processFiles) { try PermittedPath("/proc", for: .write) }
  }

  @Test func `links are resolved when a permission is applied`() throws {
    let folder = try TemporaryFolder()
    let link = "\(folder.path)/link"
    let inside = "\(folder.path)/into-proc"
    symlink("/usr", link)
    symlink("/proc/self", inside)
    let permissions = Permissions(
      read: [link, inside, "\(folder.path)/none"], write: ["../x"], run: ["/\0"]
    ).enforced
    #expect(permissions.read == ["/usr", "\(folder.path)/none"])
    #expect(permissions.write.isEmpty && permissions.run.isEmpty)
  }
}
