internal import AgentModules

/// The language and the source files of a module.
struct ModuleSources: Hashable {
  enum Language: Hashable {
    case swift
    case c
    case cxx
    case python
  }

  /// The language of the sources. `nil` if there are none.
  let language: Language?
  /// The source files, sorted, relative to the module's folder.
  let files: [String]
  /// The headers and module maps. The compiler isn't called for them, but a change of one needs a
  /// build.
  let headers: [String]

  /// Finds the sources in a folder. Tests, build products and hidden folders are ignored.
  init(directory: String) {
    let all = Self.files(below: "", of: directory).sorted()
    let found = [
      (Language.swift, ["swift"]), (.cxx, ["cc", "cpp", "cxx"]), (.c, ["c"]), (.python, ["py"]),
    ]
    .first { _, endings in all.contains { Self.ends($0, with: endings) } }?.0
    language = found
    files = all.filter { file in
      switch found {
      case .swift: Self.ends(file, with: ["swift"])
      case .c: Self.ends(file, with: ["c"])
      case .cxx: Self.ends(file, with: ["c", "cc", "cpp", "cxx"])
      case .python: Self.ends(file, with: ["py"])
      case nil: false
      }
    }
    let isCompiled = found != nil && found != .python
    headers = isCompiled ? all.filter { Self.ends($0, with: Self.headerEndings) } : []
  }

  /// C++ authors use `inc`, `inl`, `ipp` and `tpp` for parts of headers.
  private static let headerEndings = [
    "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "modulemap",
  ]

  private static let skipped: Set<String> = [
    "tests", "Tests", "test", "Package.swift", "__pycache__", "node_modules",
  ]

  private static func files(below path: String, of directory: String) -> [String] {
    FileSystem.names(in: FileSystem.join(directory, path)).flatMap { name -> [String] in
      guard !name.hasPrefix("."), !skipped.contains(name) else { return [] }
      let inner = path.isEmpty ? name : FileSystem.join(path, name)
      guard FileSystem.isFolder(FileSystem.join(directory, inner)) else { return [inner] }
      return files(below: inner, of: directory)
    }
  }

  private static func ends(_ file: String, with endings: [String]) -> Bool {
    guard let dot = file.lastIndex(of: ".") else { return false }
    return endings.contains(String(file[file.index(after: dot)...]))
  }
}
