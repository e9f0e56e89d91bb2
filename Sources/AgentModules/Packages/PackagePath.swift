/// The path of an entry of a package, as something from outside: checked before it is used.
enum PackagePath {
  /// The reasons why a path is refused.
  enum Flaw: Error, Hashable {
    /// It leads out of the folder, or isn't as short as it could be.
    case leadsOut
    /// A name has a character that can't be seen, or changes how what follows is shown.
    case unseen
  }

  /// The path without a leading `./` and a trailing `/`; empty for the folder itself.
  static func checked(_ text: String) throws(Flaw) -> String {
    var path = text
    if path.hasPrefix("./") { path = String(path.dropFirst(2)) }
    if path.hasSuffix("/") { path = String(path.dropLast()) }
    if path.isEmpty || path == "." { return "" }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard FileSystem.staysInside(path), names.allSatisfy({ !$0.isEmpty && $0 != "." }) else {
      throw .leadsOut
    }
    guard path.firstHidden() == nil else { throw .unseen }
    return path
  }

  /// A path that a message can show whatever it holds.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      shown += scalar.isHidden ? "<\(scalar.codeText)>" : String(scalar)
    }
  }

  /// A path that two entries have, or that is a file and a folder of others at once; nil when each
  /// entry has a place of its own.
  static func collision(among entries: [TarEntry]) -> String? {
    var files: Set<[UInt8]> = []
    var folders: Set<[UInt8]> = []
    for entry in entries {
      // By bytes, as a file system has them: two texts that look the same are two files.
      let path = Array(entry.path.utf8)
      switch entry.content {
      case .file: if !files.insert(path).inserted { return entry.path }
      case .folder: folders.insert(path)
      }
      for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
        folders.insert(Array(path[..<index]))
      }
    }
    return files.first { folders.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }
}
