import AgentModules
import Glibc
import Testing

/// One of the programs beside the tests' own, run in a folder to its end.
struct Program {
  let status: Int32
  let output: String
  let errors: String

  init(_ command: [String], in folder: String, input: String = "/dev/null") throws {
    let products = FileSystem.parent(try #require(FileSystem.realPath("/proc/self/exe")))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, 0, FileSystem.join(folder, input), O_RDONLY, 0)
    for (descriptor, name) in [(1, "out"), (2, "err")] as [(Int32, String)] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "\(folder)/.\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    let program = [
      "/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, "\(products)/\(command[0])",
    ]
    let words = (program + command.dropFirst()).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    var ended: Int32 = 0
    try #require(posix_spawn(&child, "/bin/sh", &actions, nil, words, environ) == 0)
    try #require(waitpid(child, &ended, 0) == child)
    status = ended & 0x7F == 0 ? ended >> 8 & 0xFF : -1
    output = String(decoding: try FileSystem.read("\(folder)/.out"), as: UTF8.self)
    errors = String(decoding: try FileSystem.read("\(folder)/.err"), as: UTF8.self)
  }
}
