internal import AgentModules
internal import Glibc

/// The files of a template, with `{{placeholders}}` in their text.
struct Template {
  struct File {
    let path: String
    let bytes: [UInt8]
    let mode: mode_t
    /// The entry of a report for this file: its path, or the folder that was added as one entry.
    let entry: String
  }

  private(set) var files: [File] = []

  /// Reads all files of a folder and its subfolders.
  init(folder: String) throws(ScaffoldError) {
    try read(folder, as: "", entry: nil)
  }

  /// Adds the files of another folder. A report lists them as one entry.
  mutating func add(folder: String, as path: String) throws(ScaffoldError) {
    guard FileSystem.isFolder(folder) else {
      throw ScaffoldError(.notInstalled, "\(folder): there is no such folder.")
    }
    try read(folder, as: path, entry: path + "/")
  }

  private mutating func read(
    _ folder: String, as path: String, entry: String?
  ) throws(ScaffoldError) {
    // Python's compiled files are specific to this machine, and they aren't text.
    for name in FileSystem.names(in: folder) where name != "__pycache__" {
      let source = FileSystem.join(folder, name)
      let inner = path.isEmpty ? name : FileSystem.join(path, name)
      if FileSystem.isFolder(source) {
        try read(source, as: inner, entry: entry)
      } else {
        try add(source, as: inner, entry: entry ?? inner)
      }
    }
  }

  private mutating func add(
    _ file: String, as path: String, entry: String
  ) throws(ScaffoldError) {
    do {
      var status = stat()
      let isProgram = stat(file, &status) == 0 && status.st_mode & S_IXUSR != 0
      files.append(
        File(
          path: path, bytes: try FileSystem.read(file), mode: isProgram ? 0o755 : 0o644,
          entry: entry))
    } catch {
      throw ScaffoldError(.notInstalled, "\(file): \(error.message)")
    }
  }

  /// Writes the files to a new folder. It writes them to a temporary folder and renames it, so that
  /// either all files are there or none.
  /// - Returns: the entries of a report, relative to the folder.
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
    return Set(files.map(\.entry)).sorted()
  }

  /// Replaces `{{key}}` by the value of the key. Unknown keys stay as they are.
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
