import Foundation
import TestSupport
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
    let folder = try TestFolder()
    let link = "\(folder.path)/link"
    let inside = "\(folder.path)/into-proc"
    symlink("/usr", link)
    symlink("/proc/self", inside)
    let permissions = Permissions(
      read: [link, inside, "\(folder.path)/none"], write: ["../x"], run: ["/\0"]
    ).enforced(by: LinkRules())
    #expect(permissions.read == ["/usr", "\(folder.path)/none"])
    #expect(permissions.write.isEmpty && permissions.run.isEmpty)
  }

  @Test func `a link in what a module may write isn't followed`() throws {
    let folder = try TestFolder()
    let shared = "\(folder.path)/shared"
    mkdir(shared, 0o755)
    mkdir("\(shared)/inner", 0o755)
    let reader = Permissions(read: ["\(shared)/inner/file"])
    let rules = LinkRules(writable: [shared])
    #expect(reader.enforced(by: rules).read == ["\(shared)/inner/file"])
    rmdir("\(shared)/inner")
    symlink("/etc", "\(shared)/inner")
    #expect(reader.enforced(by: LinkRules()).read == ["/etc/file"])
    #expect(reader.enforced(by: rules).read == [])
    // A link outside may lead there, and the folder itself may be a link that an administrator
    // made.
    symlink(shared, "\(folder.path)/link")
    let linked = Permissions(read: ["\(folder.path)/link/inner"], write: ["\(folder.path)/link"])
    #expect(linked.enforced(by: LinkRules(writable: ["\(folder.path)/link"])).read == [])
    #expect(linked.enforced(by: LinkRules(writable: ["\(folder.path)/link"])).write == [shared])
  }

  @Test func `a link to the agent's private files permits nothing`() throws {
    let folder = try TestFolder()
    let agent = "\(folder.path)/agent"
    mkdir(agent, 0o755)
    for (name, target) in [("a", agent), ("b", "\(agent)/.env"), ("c", folder.path), ("d", "/usr")]
    {
      symlink(target, "\(folder.path)/\(name)")
    }
    let rules = LinkRules(agent: agent)
    #expect(["a", "b", "c"].allSatisfy { rules.resolve("\(folder.path)/\($0)") == nil })
    #expect(rules.resolve("\(folder.path)/d") == "/usr")
    #expect(rules.resolve(agent) == agent)
    #expect(rules.resolve("\(agent)/data") == "\(agent)/data")
  }

  @Test func `paths below a writable one need no permission, and no program may lie there`() {
    let permissions = Permissions(
      read: ["/a", "/a/b", "/ab"], write: ["/a", "/a/c"], run: ["/a/run", "/usr/bin/none"]
    ).enforced(by: LinkRules())
    #expect(permissions.read == ["/ab"])
    #expect(permissions.write == ["/a"])
    #expect(permissions.run == ["/usr/bin/none"])
  }

  @Test func `links that lead to each other permit nothing`() throws {
    let folder = try TestFolder()
    symlink("\(folder.path)/b", "\(folder.path)/a")
    symlink("\(folder.path)/a", "\(folder.path)/b")
    #expect(LinkRules().resolve("\(folder.path)/a") == nil)
    #expect(LinkRules().resolve("relative") == nil)
  }
}
