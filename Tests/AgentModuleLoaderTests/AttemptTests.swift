import AgentJSON
import AgentWorkerProtocol
import Glibc
import Testing

/// What `Tests/Attacks` tries from inside a real agent, tried from inside one worker: each attempt is
/// refused, or permitted by name.
@Suite(.serialized) struct AttemptTests {
  private let attempt = ContributionName(.action, "attempt")
  /// What the libraries of the network and programs of one's own need.
  private let messages: Set = [
    "hold a descriptor in flight", "put a socket in the place of the host's",
  ]

  /// The errno of every attempt, by its name.
  private func results(_ request: SandboxRequest) throws -> [String: Int] {
    let agent = "\(FixtureBuilder.folder)/attacked"
    mkdir(agent, 0o700)
    mkdir("\(agent)/.agent", 0o700)
    for name in [".env", "settings.json"] { _ = try FixtureBuilder.file("attacked/\(name)", "{}") }
    mkdir("\(FixtureBuilder.folder)/attacker", 0o700)
    _ = try FixtureBuilder.file("attacker/module.json", "{}")
    let sibling = try WorkerProcess()
    let worker = try WorkerProcess()
    _ = try worker.load(
      library: FixtureBuilder.attempts(), sandbox: request,
      directory: "\(FixtureBuilder.folder)/attacker")
    try worker.start(attempt)
    let input = #"{"agent":"\#(agent)","sibling":"\#(sibling.pid)","only":""}"#
    let answer = try JSONValue(parsing: worker.call("attempt", input).get())
    return try #require(answer.object).reduce(into: [:]) { $0[$1.key] = $1.value.int }
  }

  /// Checks all attempts; those of `opened` may succeed.
  private func check(_ request: SandboxRequest, opened: Set<String> = []) throws {
    let results = try results(request)
    #expect(results.count > 400)
    for (name, error) in results {
      let isFine = name.hasPrefix("honest:") ? error == 0 : opened.contains(name) || error != 0
      #expect(isFine, "\(name): \(error)")
    }
  }

  @Test func `a module without permissions reaches nothing`() throws {
    try check(SandboxRequest())
  }

  @Test func `the network permission covers the Internet and nothing else`() throws {
    let opened: Set = [
      "socket AF_INET", "socket AF_INET6", "socket NETLINK_ROUTE",
      "bind a pair to an abstract name",
    ]
    try check(SandboxRequest(network: .any), opened: opened.union(messages))
  }

  @Test func `the permission to run a program opens child processes and nothing else`() throws {
    let opened: Set = [
      "fork", "clone", "execve", "make a group", "make a session", "become a subreaper",
      "shared memory without a file", "shared memory of /dev/zero",
    ]
    try check(SandboxRequest(run: ["/bin/true"]), opened: opened.union(messages))
  }

  @Test func `a sandbox that permits writing permits no change of attributes`() throws {
    // What may write may name a device: these then go to the driver of the file, here none.
    let opened: Set = [
      "a memfd of 257 MB", "watch names (inotify)", "TIOCCONS", "TIOCSCTTY", "TIOCSPGRP",
      "TIOCSWINSZ", "TCSETS", "SIOCSIFFLAGS", "SIOCBRADDBR", "FICLONE", "BLKROSET", "LOOP_SET_FD",
      "TUNSETIFF",
    ]
    try check(SandboxRequest(write: ["/var/empty"]), opened: opened)
  }

  @Test func `a path with a zero byte is refused, and nothing is loaded`() throws {
    let error = try #require(throws: WorkerError.self) {
      try WorkerProcess().load(
        library: FixtureBuilder.module(), sandbox: SandboxRequest(write: ["/\0var/lib"]))
    }
    #expect(error.message.contains("U+0000"))
  }
}
