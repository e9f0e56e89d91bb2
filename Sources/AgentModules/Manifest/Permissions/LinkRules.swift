internal import Glibc

/// Decides which links in a permitted path are followed.
///
/// A followed link permits its target. A module that may write a folder can create any link in it,
/// and so could choose its own permissions or those of another module. Links in such folders are
/// therefore never followed.
package struct LinkRules: Sendable {
  /// The same limit as in the kernel's path lookup.
  private static let maxLinks = 40

  /// The paths that modules may write, with and without resolved links.
  private let writable: Set<String>
  /// The agent's folder, with and without resolved links.
  private let agent: Set<String>

  /// - Parameters:
  ///   - writable: the paths that any enabled module may write.
  ///   - agent: the agent's folder.
  package init(writable: [String] = [], agent: String? = nil) {
    self.writable = Self.spellings(of: writable)
    self.agent = Self.spellings(of: agent.map { [$0] } ?? [])
  }

  private static func spellings(of paths: [String]) -> Set<String> {
    Set(paths + paths.compactMap(FileSystem.realPath))
  }

  /// Returns the path without links. A part that doesn't exist yet is returned unchanged. Returns
  /// `nil` if the path isn't absolute, contains a link that isn't followed, or reaches the agent's
  /// private files through a link.
  package func resolve(_ path: String) -> String? {
    guard path.hasPrefix("/"), let target = walk(path) else { return nil }
    // A module may have created a link before the settings permitted it to write there. Such a link
    // can't open the agent's private files either.
    return opensAgent(target) && !opensAgent(path) ? nil : target
  }

  private func walk(_ path: String) -> String? {
    var left = Array(path.split(separator: "/").map(String.init).reversed())
    var names: [String] = []
    var links = 0
    while let name = left.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = names.popLast()
        continue
      }
      let folder = "/" + names.joined(separator: "/")
      names.append(name)
      // Names in /proc mean other files in each process. The permission itself refuses them.
      guard names.first != "proc", let target = Self.link("/" + names.joined(separator: "/")) else {
        continue
      }
      links += 1
      guard links <= Self.maxLinks, !isWritable(folder) else { return nil }
      if target.hasPrefix("/") { names = [] } else { names.removeLast() }
      left += target.split(separator: "/").map(String.init).reversed()
    }
    return "/" + names.joined(separator: "/")
  }

  /// Returns the target of a link, or `nil` if the path isn't a link.
  private static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func isWritable(_ folder: String) -> Bool {
    writable.contains { folder.isWithin($0) }
  }

  /// Returns whether a path contains the agent's folder or belongs to its private files.
  private func opensAgent(_ path: String) -> Bool {
    agent.contains { folder in
      folder.isWithin(path)
        || [".agent", ".env"].contains { path.isWithin(FileSystem.join(folder, $0)) }
    }
  }
}

extension String {
  /// Returns whether this path is `folder` or lies below it. Both must be absolute and without
  /// links.
  func isWithin(_ folder: String) -> Bool {
    self == folder || hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }
}
