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

  @Test func `a command that can't be started is reported by the status`() throws {
    #expect(try launch(["--", "no-such-command"]) == 127)
    #expect(try launch(["--", "/etc/hosts"]) == 126)
    #expect(try launch(["--files", "many", "--", "true"]) == 126)
    #expect(try launch(["--sandbox", "strict", "--", "true"]) == 126)
    #expect(try launch([]) == 126)
  }

  @Test func `the sandbox contains a command, and permissions open it`() throws {
    let read = "read line < /etc/passwd"
    #expect(try launch(["--", "sh", "-c", read]) != 0)
    #expect(try launch(["--read", "/etc/passwd", "--", "sh", "-c", read]) == 0)
    #expect(try launch(["--sandbox", "off", "--", "sh", "-c", read]) == 0)
    #expect(try launch(["--", "sh", "-c", "(exit 0)"]) != 0)
    let programs = "/bin/true && ! /bin/ls"
    #expect(try launch(["--run", "/usr/bin/true", "--", "sh", "-c", programs]) == 0)
  }

  @Test func `a link permits nothing`() throws {
    let link = "\(FixtureBuilder.folder)/link-to-etc"
    unlink(link)
    symlink("/etc", link)
    let read = "read line < /etc/passwd"
    #expect(try launch(["--read", link, "--", "sh", "-c", read]) != 0)
    #expect(try launch(["--write", "\(link)/passwd", "--", "sh", "-c", read]) != 0)
    #expect(try launch(["--read", "/etc", "--", "sh", "-c", read]) == 0)
  }

  @Test func `a sandbox that can't be built starts nothing, whatever is requested`() throws {
    for level in ["default", "required"] {
      // The descriptors that are open leave none for the rules of landlock.
      #expect(try launch(["--sandbox", level, "--files", "4", "--", "true"]) == 126)
    }
  }

  @Test func `a program starts only if its file and interpreter are permitted`() throws {
    let folder = FixtureBuilder.folder
    let program = "\(folder)/program"
    try write("#!/bin/sh\nexit 0\n", to: program)
    #expect(try launch(["--", program]) == 126)
    #expect(try launch(["--read", folder, "--", program]) == 0)
    #expect(try launch(["--run", program, "--", program]) == 0)
    #expect(try launch(["--", "/bin"]) == 126)
    for line in ["#!/usr/bin/env -S A=/ sh", "#!/usr/bin/env -i sh", "#!\(folder)", "#!/"] {
      try write(line + "\n", to: program)
      #expect(try launch(["--read", folder, "--", program]) == 126, "\(line)")
    }
    // A folder that may be run permits no program. "/bin" may be a link, which permits nothing.
    #expect(try launch(["--run", "/usr/bin", "--", "sh", "-c", "/usr/bin/true"]) != 0)
    #expect(try launch(["--run", "/usr/bin/true", "--", "sh", "-c", "/usr/bin/true"]) == 0)
  }

  @Test func `the sandbox record is written before the command can write`() throws {
    let worker = try WorkerProcess([
      "\(WorkerProcess.products)/agent-launch", "--", "sh", "-c", "echo mine >&4",
    ])
    #expect(worker.wait() == 0)
    let written = try worker.crashText()
    #expect(written.utf8.count == 1024 + 5)
    #expect(written.hasPrefix(#"{"sandbox":""#) && written.hasSuffix("  mine\n"))
  }

  private func write(_ text: String, to path: String) throws {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
    try #require(file >= 0)
    defer { close(file) }
    #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
  }

  @Test func `the requested limits are set`() throws {
    let read = """
      while read -r a b c soft rest; do
        case "$a $b $c" in "Max open files") exit "$soft" ;; esac
      done < /proc/self/limits
      """
    #expect(try launch(["--files", "31", "--", "sh", "-c", read]) == 31)
  }
}
