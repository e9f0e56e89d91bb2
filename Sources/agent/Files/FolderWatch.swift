internal import AgentModules
internal import AgentSystem
internal import Dispatch
internal import Glibc

/// Watches a folder and the folders within it for changes.
final class FolderWatch: Sendable {
  private let descriptor: Int32
  private let thread = DispatchQueue(label: "agent.watch")

  init(_ folder: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw Failure("Folders can't be watched: \(SystemError.text(errno)).")
    }
    try add(folder)
  }

  deinit { close(descriptor) }

  /// Waits for a change of a source, and then for a moment without changes. Returns false if the
  /// folder can't be watched any more.
  func next() async -> Bool {
    await withCheckedContinuation { continuation in
      thread.async { [descriptor] in
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var isRelevant = false
        while !isRelevant {
          let count = read(descriptor, &buffer, buffer.count)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { return continuation.resume(returning: false) }
          isRelevant = Self.names(in: buffer[..<count]).contains(where: Self.isSource)
        }
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // An editor writes several files in a row. One build after 200 ms of silence is enough for
        // all.
        while Glibc.poll(&poll, 1, 200) > 0 {
          guard read(descriptor, &buffer, buffer.count) > 0 else { break }
        }
        continuation.resume(returning: true)
      }
    }
  }

  /// Returns whether a file is a source. A build writes other files, and they don't count.
  private static func isSource(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".pyc")
      && !SharedLibraryName.matches(name)
  }

  /// Returns the names in a sequence of `struct inotify_event`.
  private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
    var names: [String] = []
    var start = bytes.startIndex
    while start + 16 <= bytes.endIndex {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 12 + $1]) << (8 * $1) }
      let end = min(start + 16 + length, bytes.endIndex)
      names.append(String(decoding: bytes[(start + 16)..<end].prefix { $0 != 0 }, as: UTF8.self))
      start = end
    }
    return names
  }

  private func add(_ folder: String) throws {
    let changes = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_CREATE)
    guard inotify_add_watch(descriptor, folder, changes) >= 0 else {
      throw Failure("\(folder) can't be watched: \(SystemError.text(errno)).")
    }
    for name in FileSystem.names(in: folder) where !name.hasPrefix(".") && name != "__pycache__" {
      if FileSystem.isFolder("\(folder)/\(name)") { try add("\(folder)/\(name)") }
    }
  }
}
