import AgentWorkerProtocol
import Glibc
import Testing

@Suite struct LaunchTests {
  private func launch(_ arguments: [String]) throws -> Int32 {
    try WorkerProcess(["\(WorkerProcess.products)/agent-launch"] + arguments).wait() >> 8
  }

  @Test func `a command gets its arguments, and its status is the launcher's`() throws {
    #expect(try launch(["--", "sh", "-c", "exit $1", "sh", "7"]) == 7)
  }

  @Test func `what can't be started is told by the status`() throws {
    #expect(try launch(["--", "no-such-command"]) == 127)
    #expect(try launch(["--", "/etc/hosts"]) == 126)
    #expect(try launch(["--files", "many", "--", "true"]) == 126)
    #expect(try launch(["--sandbox", "strict", "--", "true"]) == 126)
    #expect(try launch([]) == 126)
  }

  @Test func `the sandbox holds a command, and permissions open it`() throws {
    let read = "read line < /etc/passwd"
    #expect(try launch(["--", "sh", "-c", read]) != 0)
    #expect(try launch(["--read", "/etc/passwd", "--", "sh", "-c", read]) == 0)
    #expect(try launch(["--sandbox", "off", "--", "sh", "-c", read]) == 0)
    #expect(try launch(["--", "sh", "-c", "(exit 0)"]) != 0)
    #expect(try launch(["--run", "/bin/true", "--", "sh", "-c", "/bin/true && ! /bin/ls"]) == 0)
  }

  @Test func `limits are set`() throws {
    let read = """
      while read -r a b c soft rest; do
        case "$a $b $c" in "Max open files") exit "$soft" ;; esac
      done < /proc/self/limits
      """
    #expect(try launch(["--files", "31", "--", "sh", "-c", read]) == 31)
  }
}
