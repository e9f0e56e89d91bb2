import AgentSystem
import CSupervision
import Glibc

/// The errors of the system calls that start a process, as sentences.
extension SpawnError {
  init(_ result: cs_result, _ command: ChildCommand) {
    let (stage, number) = (Int(result.stage), result.error)
    let path = ExecutablePath(command)
    let executable = path.program(of: result)
    let message =
      switch stage {
      case Int(CS_STAGE_EXEC): Self.execMessage(number, executable)
      case Int(CS_STAGE_SEARCH):
        "\(executable): no such program in \(path.searchPath). Install it, or give its whole path."
      case Int(CS_STAGE_INTERPRETER):
        "\(executable): the interpreter that it names doesn't exist. Check its first line, or "
          + "install it."
      case Int(CS_STAGE_MODE):
        "\(executable): it can't be executed. Make it executable: chmod +x \(executable)"
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
    case ENOENT:
      "\(file): there is no such file. Check the path, or build it."
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
