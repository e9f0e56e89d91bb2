internal import AgentSupervision
internal import Glibc

/// What a program prints that the host asks something, outside of supervision.
enum CommandOutput {
  /// The lines that a command prints; nil when it can't be started or fails.
  static func lines(of words: [String]) -> [String]? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var list = words.map { strdup($0) } + [nil]
    defer { for word in list { free(word) } }
    let pid = KnownChildren.ofThisProcess.spawning { () -> Int32? in
      var pid: pid_t = 0
      return posix_spawnp(&pid, words[0], &actions, nil, &list, environ) == 0 ? pid : nil
    }
    close(ends[1])
    guard let pid else { return nil }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0, text.count < 1 << 16 else { break }
      text += buffer[..<count]
    }
    let status = KnownChildren.ofThisProcess.reaping(pid) { () -> Int32? in
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 {
        if errno != EINTR { return nil }
      }
      return status
    }
    guard status == 0 else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
