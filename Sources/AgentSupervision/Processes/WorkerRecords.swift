import AgentSystem
import Glibc

/// The file that lists the processes of this host. If the host is killed, the next one ends these
/// processes.
///
/// The first line is `boot ID`. Each process has a line `PID START NAME`, where START is field 22
/// of `/proc/PID/stat`. The line of an ended process is overwritten in place and begins with `#`.
/// ``flush()`` writes the collected changes after more urgent work.
struct WorkerRecords {
  private let path: String
  private var file: Int32 = -1
  private var end = 0
  private var places: [Int32: Int] = [:]
  private var added: [(pid: Int32, name: String)] = []
  private var removed: [Int] = []
  private var dead = 0
  private var hasFailed = false

  init(path: String) {
    self.path = path
  }

  mutating func add(pid: Int32, name: String) {
    added.append((pid, name))
  }

  mutating func remove(pid: Int32) {
    added.removeAll { $0.pid == pid }
    if let place = places.removeValue(forKey: pid) { removed.append(place) }
  }

  /// Writes the changes. Returns a message at the first failure, and `nil` afterwards.
  @discardableResult
  mutating func flush() -> String? {
    guard !hasFailed, !added.isEmpty || !removed.isEmpty else { return nil }
    if file >= 0 || create() {
      strikeOut()
      let lines = added.compactMap(Self.line)
      added = []
      if append(lines) { return nil }
    }
    hasFailed = true
    return "\(path): can't be written: \(SystemError.text(errno)). "
      + "If this host is killed, the next one won't find its workers there."
  }

  private mutating func create() -> Bool {
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    end = 0
    return file >= 0 && write("boot \(BootID.current)\n")
  }

  private mutating func strikeOut() {
    // An overwritten byte keeps the places of all other lines.
    for place in removed { _ = pwrite(file, "#", 1, off_t(place)) }
    dead += removed.count
    removed = []
    // The file is rewritten only when most of it is dead, so that exits stay cheap.
    if dead > 256, dead > 4 * places.count { compact() }
  }

  private mutating func append(_ lines: [(pid: Int32, text: String)]) -> Bool {
    var text = ""
    for line in lines {
      places[line.pid] = end + text.utf8.count
      text += line.text
    }
    return text.isEmpty || write(text)
  }

  private mutating func write(_ text: String) -> Bool {
    let count = text.utf8.count
    defer { end += count }
    return pwrite(file, text, count, off_t(end)) == count
  }

  /// Rewrites the file. It writes the new text before it cuts off the rest of the old one. The file
  /// therefore always holds the running processes.
  private mutating func compact() {
    let names = WorkerRecord.read(path).reduce(into: [:]) { $0[$1.pid] = $1.name }
    let living = places.keys.map { ($0, names[$0] ?? "") }.compactMap(Self.line)
    end = 0
    dead = 0
    places = [:]
    guard write("boot \(BootID.current)\n"), append(living) else { return }
    _ = ftruncate(file, off_t(end))
  }

  private static func line(_ entry: (pid: Int32, name: String)) -> (pid: Int32, text: String)? {
    ProcessStat.read(entry.pid).map {
      (entry.pid, WorkerRecord(pid: entry.pid, start: $0.start, name: entry.name).text)
    }
  }
}
