import CSupervision
import Glibc

/// A command in the form that `execve` takes: one block of bytes, and pointers into it.
///
/// C ends a text at the character U+0000. A text with this character would be another one for the
/// kernel than for people. Such a command is refused.
struct CommandImage {
  private var bytes: [CChar] = []
  private var executables: [Int] = []
  private let searches: Bool
  private var arguments: [Int] = []
  private var environment: [Int] = []
  private var directory: Int?
  private let mark: UInt64

  init(_ command: ChildCommand) throws(SpawnError) {
    let executable = command.executable
    let texts = [executable, command.workingDirectory ?? ""]
    guard
      !(texts + command.arguments + command.environment).contains(where: { $0.utf8.contains(0) })
    else {
      throw SpawnError(
        isPermanent: true,
        message:
          "\(executable.split(separator: "\0").first ?? ""): its name, an argument or a variable "
          + "holds the character U+0000, which no program can be given. Remove it.",
        errno: EINVAL)
    }
    mark = HostMark(in: command.environment)?.limit ?? 0
    let path = ExecutablePath(command)
    searches = path.searches
    executables = path.candidates.map { append($0) }
    arguments = [append(executable)] + command.arguments.map { append($0) }
    environment = command.environment.map { append($0) }
    directory = command.workingDirectory.map { append($0) }
  }

  /// Calls `body` with a request that is valid only during the call. The caller sets its
  /// descriptors and limits.
  func withRequest<R>(_ body: (inout cs_request) -> R) -> R {
    bytes.withUnsafeBufferPointer { block in
      func pointer(_ offset: Int) -> UnsafeMutablePointer<CChar>? {
        UnsafeMutablePointer(mutating: block.baseAddress.map { $0 + offset })
      }
      let paths = executables.map(pointer) + [nil]
      let argv = arguments.map(pointer) + [nil]
      let envp = environment.map(pointer) + [nil]
      return paths.withUnsafeBufferPointer { paths in
        argv.withUnsafeBufferPointer { argv in
          envp.withUnsafeBufferPointer { envp in
            var request = cs_request()
            request.executables = paths.baseAddress
            request.searches = searches ? 1 : 0
            request.arguments = argv.baseAddress
            request.environment = envp.baseAddress
            request.directory = directory.flatMap { UnsafePointer(pointer($0)) }
            request.mark = mark
            return body(&request)
          }
        }
      }
    }
  }

  private mutating func append(_ text: String) -> Int {
    let offset = bytes.count
    bytes.append(contentsOf: text.utf8.lazy.map { CChar(bitPattern: $0) })
    bytes.append(0)
    return offset
  }
}
