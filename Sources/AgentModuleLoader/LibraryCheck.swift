/// Checks of a library before any of its code runs.
struct LibraryCheck {
  /// The library's name in messages.
  let name: String
  let module: String

  func check(_ path: String) throws(ModuleLoadError) {
    let bytes: FileBytes
    do {
      bytes = try FileBytes(path: path)
    } catch {
      throw unreadable(error)
    }
    // 3 is ET_DYN, the type of shared libraries.
    guard let file = ELFFile(bytes), file.type == 3 else {
      throw ModuleLoadError(
        .format, "\"\(name)\" is no shared library. Build it with `agent build \(module)`.")
    }
    // 2 is the class of 64-bit files.
    guard file.machine == Machine.own, file.elfClass == 2 else {
      throw ModuleLoadError(
        .architecture,
        "\"\(name)\" was built for \(Machine.name(file.machine, elfClass: file.elfClass)); this "
          + "machine is \(Machine.name(Machine.own, elfClass: 2)). Run `agent build \(module)` here."
      )
    }
    // `nil` means that the symbol table can't be read. The loader then decides.
    guard file.exports("agent_module_v1") != false else { throw .noEntry(name) }
    try checkToolchain(file)
  }

  private func checkToolchain(_ file: borrowing ELFFile) throws(ModuleLoadError) {
    // Only code in Swift depends on the toolchain.
    guard file.needed.contains(where: { $0.hasPrefix("libswiftCore.so") }) else { return }
    let theirs = Toolchain(file)
    guard !theirs.fits(.own) else { return }
    throw ModuleLoadError(
      .toolchain,
      "\"\(name)\" was built with \(theirs); this program was built with \(Toolchain.own), and "
        + "the two can't share a process. Run `agent build \(module)`.")
  }

  private func unreadable(_ error: Errno) -> ModuleLoadError {
    switch error.code {
    case 2, 20:  // ENOENT, ENOTDIR
      ModuleLoadError(
        .missing, "There is no library \"\(name)\". Build it with `agent build \(module)`.")
    case 8:  // ENOEXEC: an empty file
      ModuleLoadError(
        .format, "\"\(name)\" is empty. Build it with `agent build \(module)`.")
    default:
      ModuleLoadError(
        .missing, "The library \"\(name)\" can't be read: \(error.message).")
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

/// Checks a module's library without running its code.
public enum LibraryInspection {
  /// Returns the reason why this program can't use the library: the file is missing, isn't a shared
  /// library, is for another processor, exports no module, or was built by another Swift toolchain.
  /// Returns `nil` if there is none.
  public static func problem(of path: String, module: String) -> ModuleLoadError? {
    do throws(ModuleLoadError) {
      try LibraryCheck(name: path, module: module).check(path)
      return nil
    } catch {
      return error
    }
  }
}
