import AgentKit
import Glibc
import Testing

/// Each test has a file of its own, which is removed at its end.
@Suite struct LogFollowerTests {
  private final class TemporaryFile {
    let path = "/tmp/follower-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).log"
    var old: String { path + ".1" }

    deinit {
      unlink(path)
      unlink(old)
    }

    func write(_ text: String, to path: String? = nil, flags: Int32 = O_APPEND) {
      let file = open(path ?? self.path, O_WRONLY | O_CREAT | flags, 0o600)
      #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
    }

    func rotate() { #expect(rename(path, old) == 0) }
  }

  private let file = TemporaryFile()

  @Test func `a file is followed when it grows, is cut short, and is replaced`() {
    var follower = LogFollower(path: file.path, from: .end)
    #expect(follower.read().isEmpty && follower.isMissing && follower.position == nil)
    file.write("first\nsec")
    #expect(follower.read() == ["first"] && !follower.isMissing)
    file.write("ond\n")
    #expect(follower.read() == ["second"])
    file.write("3\n", flags: O_TRUNC)
    #expect(follower.read() == ["3"])
    file.rotate()
    file.write("late\n", to: file.old)
    file.write("fourth\n")
    #expect(follower.read() == ["late"])
    #expect(follower.read().isEmpty)
    #expect(follower.read() == ["fourth"])
  }

  @Test func `a follower begins at the start or the end of an existing file`() {
    file.write("old\n")
    var all = LogFollower(path: file.path, from: .start)
    var new = LogFollower(path: file.path, from: .end)
    #expect(all.read() == ["old"] && new.read() == [])
    file.write("new\n")
    #expect(all.read() == ["new"] && new.read() == ["new"])
  }

  @Test func `a follower continues after a position and starts anew in another file of that name`()
  {
    file.write("first\nsecond\nhal")
    var follower = LogFollower(path: file.path, from: .start)
    #expect(follower.read() == ["first", "second"])
    #expect(follower.position?.offset == 13)
    file.write("f\n")
    follower = LogFollower(path: file.path, from: .start, after: follower.position)
    #expect(follower.read() == ["half"])
    #expect(follower.read().isEmpty)
    file.rotate()
    file.write("new\n")
    follower = LogFollower(path: file.path, from: .end, after: follower.position)
    #expect(follower.read() == ["new"])
    file.write("3\n", flags: O_TRUNC)
    follower = LogFollower(path: file.path, from: .end, after: follower.position)
    #expect(follower.read() == ["3"])
  }

  @Test func `a position in another path is ignored`() {
    file.write("first\n")
    var follower = LogFollower(path: file.path, from: .start)
    #expect(follower.read() == ["first"])
    file.rotate()
    var renamed = LogFollower(path: file.old, from: .start, after: follower.position)
    #expect(renamed.read() == ["first"])
  }
}
