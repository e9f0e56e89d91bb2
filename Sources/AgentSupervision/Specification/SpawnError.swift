import AgentSystem
import CSupervision
import Glibc

/// Why a process couldn't be started.
public struct SpawnError: Error, Equatable, CustomStringConvertible {
  /// Whether another attempt fails too, until a person changes something.
  public var isPermanent: Bool
  /// A sentence with the file, the problem and the remedy.
  public var message: String
  /// The system's error number.
  public var errno: Int32

  public var description: String { message }
}

extension SpawnError {
  init(stage: Int, errno number: Int32, _ executable: String, _ command: ChildCommand) {
    let message =
      switch stage {
      case Int(CS_STAGE_EXEC): Self.execMessage(number, executable)
      case Int(CS_STAGE_DIRECTORY):
        "\(command.workingDirectory ?? ""): can't be the working directory: "
          + "\(SystemError.text(number)). Create it, or name another one."
      case Int(CS_STAGE_LIMITS):
        "\(executable): its limits can't be set: \(SystemError.text(number)). "
          + "limits.files may be above what the host itself may have (ulimit -n)."
      case Int(CS_STAGE_CLONE):
        "\(executable): no process can be started: \(SystemError.text(number)). "
          + "The system is out of processes or memory."
      default:
        "\(executable): the process can't be set up: \(SystemError.text(number))."
      }
    self.init(
      isPermanent: Self.isPermanent(stage: stage, number), message: message, errno: number)
  }

  private static func isPermanent(stage: Int, _ number: Int32) -> Bool {
    guard stage >= Int(CS_STAGE_LIMITS) else { return false }
    return ![EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY, EIO, EINTR].contains(number)
  }

  private static func execMessage(_ number: Int32, _ file: String) -> String {
    switch number {
    case ENOENT where access(file, F_OK) == 0:
      "\(file): the interpreter that it names doesn't exist. Check its first line, or install it."
    case ENOENT:
      "\(file): there is no such file. Check the path, or build it."
    case EACCES where access(file, X_OK) != 0:
      "\(file): it can't be executed. Make it executable: chmod +x \(file)"
    case EACCES:
      "\(file): its execution isn't permitted. Is it a file, and its file system not `noexec`?"
    case ENOEXEC:
      "\(file): it isn't a program for this machine. Rebuild it here, or add a `#!` line."
    case E2BIG:
      "\(file): its arguments and environment are too long. Shorten them."
    default:
      "\(file): it can't be executed: \(SystemError.text(number))."
    }
  }
}
