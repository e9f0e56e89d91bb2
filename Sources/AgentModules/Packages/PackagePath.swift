/// Checks the paths of entries. They come from outside, so nothing else uses an unchecked one.
enum PackagePath {
  /// The reasons why a path is refused.
  enum Flaw: Error, Hashable {
    /// The path leads out of the folder, or has a needless part.
    case leadsOut
    /// A name has an invisible character, or one that changes the display of others.
    case unseen
  }

  /// Returns the path without a leading `./` and a trailing `/`. The result is empty for the folder
  /// itself.
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

  /// Returns a path without characters that could change a message.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      shown += scalar.isHidden ? "<\(scalar.codeText)>" : String(scalar)
    }
  }

  /// Returns a path that two entries have, or that is both a file and the folder of others. Returns
  /// `nil` if there is none.
  static func collision(among entries: [TarEntry]) -> String? {
    var files: Set<[UInt8]> = []
    var folders: Set<[UInt8]> = []
    for entry in entries {
      // The comparison uses bytes, as file systems do. Two texts that look the same may be two
      // files.
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
