import CSupervision

/// The files that may be the program of a command.
///
/// The host looks none of them up: its loop serves all children, and a file system may not answer.
/// The process of the child does so. It may be ended like one that takes long to load.
struct ExecutablePath {
  /// The paths in their order.
  let candidates: [String]
  /// Whether the first candidate that is executable is the program. Otherwise there is only one.
  let searches: Bool
  /// The folders that are searched.
  let searchPath: Substring
  private let name: String

  /// An executable with a `/` is the program itself. Otherwise the folders are searched that the
  /// `PATH` of the command's environment has.
  init(_ command: ChildCommand) {
    let name = command.executable
    let path = Self.searchPath(command.environment)
    searches = !name.utf8.contains(UInt8(ascii: "/"))
    candidates = searches ? path.split(separator: ":").map { "\($0)/\(name)" } : [name]
    (searchPath, self.name) = (path, name)
  }

  /// Returns the program as messages about the result of a start name it.
  func program(of result: cs_result) -> String {
    let wasChosen = result.stage >= Int32(clamping: CS_STAGE_EXEC)
    guard wasChosen, result.stage != Int32(clamping: CS_STAGE_SEARCH) else { return name }
    return candidates.enumerated().first { $0.offset == result.executable }?.element ?? name
  }

  private static func searchPath(_ environment: [String]) -> Substring {
    let entry = environment.first { $0.hasPrefix("PATH=") }
    return entry?.dropFirst(5) ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
