/// What is found out about a library before any of it runs.
enum LibraryCheck {
  static func check(path: String, module: String) throws(ModuleLoadError) {
    let bytes: FileBytes
    do {
      bytes = try FileBytes(path: path)
    } catch {
      throw unreadable(path, error, module)
    }
    guard let file = ELFFile(bytes), file.type == 3 else {
      throw ModuleLoadError(
        .format, "\"\(path)\" is no shared library. Build it with `agent build \(module)`.")
    }
    guard file.machine == Machine.own, file.elfClass == 2 else {
      throw ModuleLoadError(
        .architecture,
        "\"\(path)\" was built for \(Machine.name(file.machine, elfClass: file.elfClass)); this "
          + "machine is \(Machine.name(Machine.own, elfClass: 2)). Run `agent build \(module)` here."
      )
    }
    guard file.exports("agent_module_v1") != false else { throw .noEntry(path) }
    try checkToolchain(file, path, module)
  }

  private static func checkToolchain(
    _ file: borrowing ELFFile, _ path: String, _ module: String
  ) throws(ModuleLoadError) {
    guard file.needed.contains(where: { $0.hasPrefix("libswiftCore.so") }) else { return }
    let theirs = Toolchain(file)
    guard !theirs.fits(.own) else { return }
    throw ModuleLoadError(
      .toolchain,
      "\"\(path)\" was built with \(theirs); this program was built with \(Toolchain.own), and "
        + "the two can't share a process. Run `agent build \(module)`.")
  }

  private static func unreadable(
    _ path: String, _ error: Errno, _ module: String
  ) -> ModuleLoadError {
    switch error.code {
    case 2, 20:  // ENOENT, ENOTDIR
      ModuleLoadError(
        .missing, "There is no library \"\(path)\". Build it with `agent build \(module)`.")
    case 8:  // ENOEXEC: an empty file
      ModuleLoadError(
        .format, "\"\(path)\" is empty. Build it with `agent build \(module)`.")
    default:
      ModuleLoadError(
        .missing, "The library \"\(path)\" can't be read: \(error.message).")
    }
  }
}

extension ModuleLoadError {
  static func noEntry(_ path: String) -> ModuleLoadError {
    ModuleLoadError(
      .symbol,
      "\"\(path)\" doesn't export agent_module_v1: it is no module, or its version script hides "
        + "the symbol.")
  }
}
