internal import AgentSystem
internal import Glibc

/// Opens a text in the user's editor.
enum Editor {
  /// A text in a temporary file. The file exists until it is removed.
  struct Draft {
    let path: String

    /// - Parameter suffix: the end of the file's name, such as `.json`. Editors choose a language
    ///   by it.
    init(_ text: String, suffix: String) throws {
      let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(folder)/agent-XXXXXX\(suffix)".utf8CString)
      let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
      guard descriptor >= 0 else {
        throw Failure("No file can be created in \(folder): \(SystemError.text(errno)).")
      }
      close(descriptor)
      path = template.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { String(cString: $0) } ?? ""
      }
      try write(text)
    }

    private func write(_ text: String) throws {
      let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Failure("\(path) can't be written: \(SystemError.text(errno)).")
      }
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
        throw Failure("\(path) can't be written: \(SystemError.text(errno)).")
      }
    }

    /// Reads the file.
    func read() throws -> [UInt8] { try Files.read(path, most: 64 << 20) }

    func remove() { unlink(path) }
  }

  /// Returns the editor: `$VISUAL`, else `$EDITOR`, else vi on a terminal.
  static func chosen() throws -> String {
    if let editor = variable("VISUAL") ?? variable("EDITOR") { return editor }
    guard isatty(0) == 1 else {
      throw Failure(
        "There is no terminal for an editor. Give the value with --value, or set EDITOR.",
        exit: .usage)
    }
    return "vi"
  }

  /// Opens a file in an editor. Returns when the editor has ended.
  static func edit(_ draft: Draft, with editor: String) throws {
    // A shell splits the variable, which may hold arguments: "code --wait".
    let words = ["sh", "-c", "\(editor) \"$1\"", "sh", draft.path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    let result = posix_spawn(&pid, "/bin/sh", nil, nil, &arguments, environ)
    guard result == 0 else {
      throw Failure("\(editor) can't be started: \(SystemError.text(result)).")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw Failure(
        "The editor \"\(editor)\" failed, so nothing was changed. Set EDITOR to "
          + "another editor, or use --value.")
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
