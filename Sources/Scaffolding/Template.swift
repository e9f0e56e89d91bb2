internal import AgentModules
internal import Glibc

/// The files of a folder with `{{placeholders}}` in them.
struct Template {
  struct File {
    let path: String
    let bytes: [UInt8]
    let mode: mode_t
    /// The line of a report that stands for it: the file, or the folder that it was added with.
    let entry: String
  }

  private(set) var files: [File] = []

  /// Reads a folder.
  init(folder: String) throws(ScaffoldError) {
    try read(folder, as: "", entry: nil)
  }

  /// Adds a folder of its own, which a report lists as one entry.
  mutating func add(folder: String, as path: String) throws(ScaffoldError) {
    guard FileSystem.isFolder(folder) else {
      throw ScaffoldError(.notInstalled, "\(folder): there is no such folder.")
    }
    try read(folder, as: path, entry: path + "/")
  }

  private mutating func read(
    _ folder: String, as path: String, entry: String?
  ) throws(ScaffoldError) {
    // Files that Python has compiled belong to this machine, and are no text.
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

  /// Writes the files to a folder that is not there yet: all of them or nothing. Returns the
  /// entries that a report lists, relative to the folder.
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
