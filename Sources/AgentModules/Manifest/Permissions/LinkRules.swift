internal import Glibc

/// Decides which links in a permitted path are followed.
///
/// A link permits what it leads to. A module that may write a folder can make any link there, so a
/// link in such a folder is never followed: the module would choose its own permissions, or those
/// of another module.
package struct LinkRules: Sendable {
  /// The limit of the kernel's own search.
  private static let maxLinks = 40

  /// The places that modules may write, as named and as resolved.
  private let writable: Set<String>
  /// The agent's folder, as named and as resolved.
  private let agent: Set<String>

  /// - Parameters:
  ///   - writable: what any enabled module may write.
  ///   - agent: the agent's folder.
  package init(writable: [String] = [], agent: String? = nil) {
    self.writable = Self.spellings(of: writable)
    self.agent = Self.spellings(of: agent.map { [$0] } ?? [])
  }

  private static func spellings(of paths: [String]) -> Set<String> {
    Set(paths + paths.compactMap(FileSystem.realPath))
  }

  /// Returns the path without links; the rest of it unchanged where there is nothing yet. Returns
  /// nil for a path that isn't absolute, leads through a link that isn't followed, or leads to the
  /// agent's private files by a link.
  package func resolve(_ path: String) -> String? {
    guard path.hasPrefix("/"), let target = walk(path) else { return nil }
    // A link that was made before the settings knew of its maker leads no further than that.
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
      // Names in /proc are other files for each process. The permission itself refuses them.
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

  /// Where a link leads; nil for anything else.
  private static func link(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func isWritable(_ folder: String) -> Bool {
    writable.contains { folder.isWithin($0) }
  }

  /// Whether a path holds the agent's folder, or belongs to its private files.
  private func opensAgent(_ path: String) -> Bool {
    agent.contains { folder in
      folder.isWithin(path)
        || [".agent", ".env"].contains { path.isWithin(FileSystem.join(folder, $0)) }
    }
  }
}

extension String {
  /// Whether this path is the other one, or lies below it. Both are absolute and without links.
  func isWithin(_ folder: String) -> Bool {
    self == folder || hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }
}
