internal import AgentModules
internal import Glibc

/// The files of a folder with `{{placeholders}}` in them.
struct Template {
  struct File {
    let path: String
    let bytes: [UInt8]
    let mode: mode_t
  }

  private(set) var files: [File] = []

  /// Reads a folder.
  init(folder: String) throws(ScaffoldError) {
    try read(folder, below: "")
  }

  private mutating func read(_ folder: String, below path: String) throws(ScaffoldError) {
    for name in FileSystem.names(in: FileSystem.join(folder, path)) {
      let inner = path.isEmpty ? name : FileSystem.join(path, name)
      if FileSystem.isFolder(FileSystem.join(folder, inner)) {
        try read(folder, below: inner)
      } else if name != "__pycache__" {
        try add(FileSystem.join(folder, inner), as: inner)
      }
    }
  }

  /// Adds one file of its own.
  mutating func add(_ file: String, as path: String) throws(ScaffoldError) {
    do {
      var status = stat()
      let isProgram = stat(file, &status) == 0 && status.st_mode & S_IXUSR != 0
      files.append(
        File(path: path, bytes: try FileSystem.read(file), mode: isProgram ? 0o755 : 0o644))
    } catch {
      throw ScaffoldError(.notInstalled, "\(file): \(error.message)")
    }
  }

  /// Writes the files to a folder that is not there yet: all of them or nothing. Returns their
  /// paths in it.
  func write(to folder: String, replacing values: [String: String]) throws(ScaffoldError)
    -> [String]
  {
    guard !FileSystem.exists(folder) else {
      throw ScaffoldError(.exists, "\(folder) exists already; nothing was written.")
    }
    let temporary = "\(FileSystem.join(FileSystem.parent(folder), ".new-\(getpid())"))"
    defer { Folder.remove(temporary) }
    for file in files {
      let path = FileSystem.join(temporary, file.path)
      try Folder.make(FileSystem.parent(path))
      try Folder.write(Self.fill(file.bytes, with: values), to: path, mode: file.mode)
    }
    guard rename(temporary, folder) == 0 else {
      throw ScaffoldError(.cannotWrite, "\(folder): \(FileSystem.reason(errno)).")
    }
    return files.map(\.path).sorted()
  }

  /// Replaces `{{key}}` by its value; what isn't a known key stays.
  static func fill(_ bytes: [UInt8], with values: [String: String]) -> [UInt8] {
    var rest = Substring(decoding: bytes, as: UTF8.self)
    var text = ""
    while let open = rest.firstRange(of: "{{") {
      text += rest[..<open.lowerBound]
      rest = rest[open.upperBound...]
      guard let close = rest.firstRange(of: "}}"),
        let value = values[String(rest[..<close.lowerBound])]
      else {
        text += "{{"
        continue
      }
      text += value
      rest = rest[close.upperBound...]
    }
    return Array((text + rest).utf8)
  }
}
