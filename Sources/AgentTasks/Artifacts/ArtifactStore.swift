internal import AgentStore
internal import Dispatch
internal import Glibc

/// Where the files lie that tasks have left: each task's in a folder of its own.
///
/// The database says which there are, and in which file each one is. A file is there before its
/// row, and never changes: another one of the same name is another file. What a kill leaves between
/// the two goes with the task.
public struct ArtifactStore: Sendable {
  /// The largest file, in bytes.
  public static let maxBytes = 16 << 20
  /// The most files of a task.
  public static let maxFiles = 100
  /// The longest name, in bytes.
  static let longestName = 200

  /// Waits for the disk, which must not happen on the threads that all share.
  private static let thread = DispatchQueue(label: "agent.artifacts")
  /// A large file that is being synced must not hold up programs that begin.
  private static let places = DispatchQueue(label: "agent.artifacts.places")

  private let folder: String
  /// Where programs that run now leave theirs; of this run of the host alone.
  private let running: String

  /// - Parameters:
  ///   - folder: is made when something is put there.
  ///   - run: a name that no other run of the host has.
  public init(folder: String, run: String) {
    self.folder = folder
    running = "\(folder)/run-\(run)"
  }

  /// Why this can't be the name of a file; nil when it can.
  public static func problem(withName name: String) -> String? {
    if name.isEmpty || name.utf8.count > longestName || name.hasPrefix(".") || name.contains("/")
      || name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    {
      return
        "An artifact's name has 1 to \(longestName) bytes, no slash, no control characters and "
        + "no dot in front; found \"\(name)\"."
    }
    return nil
  }

  // MARK: Files of tasks

  /// Writes a new file, which is durable with its name when this returns.
  /// - Returns: what the file is called, as its row is to say it.
  func write(_ bytes: [UInt8], of task: Int64) async throws(TaskError) -> String {
    let path = "\(folder)/\(task)"
    let file = ".\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    try await onThread { () throws(TaskError) in
      try Self.make(folder)
      try Self.make(path)
      try Self.write(bytes, to: "\(path)/\(file)")
      do throws(TaskError) {
        // Both: the name of the task's folder may be new, too.
        try Self.sync(path)
        try Self.sync(folder)
      } catch {
        unlink("\(path)/\(file)")
        throw error
      }
    }
    return file
  }

  func read(_ artifact: TaskArtifact) async throws(TaskError) -> [UInt8] {
    let path = path(of: artifact)
    return try await onThread { () throws(TaskError) in try Self.read(path) }
  }

  func remove(_ artifact: TaskArtifact) async {
    let path = path(of: artifact)
    await Self.run { _ = unlink(path) }
  }

  /// Those of former versions are called as they are shown.
  private func path(of artifact: TaskArtifact) -> String {
    "\(folder)/\(artifact.task)/\(artifact.file.isEmpty ? artifact.name : artifact.file)"
  }

  /// Removes all that these tasks have left.
  func remove(_ tasks: [Int64]) async {
    guard !tasks.isEmpty else { return }
    await Self.run { for task in tasks { Self.removeFolder("\(folder)/\(task)") } }
  }

  /// The tasks that have a folder. What programs of earlier runs of the host left goes.
  func sweep() async -> [Int64] {
    await Self.run {
      let names = Self.names(in: folder)
      for name in names where name.hasPrefix("run-") && "\(folder)/\(name)" != running {
        for attempt in Self.names(in: "\(folder)/\(name)") {
          Self.removeFolder("\(folder)/\(name)/\(attempt)")
        }
        Self.removeFolder("\(folder)/\(name)")
      }
      return names.compactMap { Int64($0) }
    }
  }

  // MARK: Programs

  /// An empty folder into which an attempt's program may put files.
  public func place(for work: TaskWork) async throws(TaskError) -> String {
    let path = "\(running)/\(work.lease.task)-\(work.lease.attempt)"
    try await onThread(Self.places) { () throws(TaskError) in
      try Self.make(folder)
      try Self.make(running)
      Self.removeFolder(path)
      try Self.make(path)
    }
    return path
  }

  /// Passes on what a program has put into its folder, which goes.
  public func collect(from place: String, for work: TaskWork) async {
    let names = await Self.run(Self.places) { Self.names(in: place).sorted() }
    for (number, name) in names.enumerated() {
      do throws(TaskError) {
        guard number < Self.maxFiles else {
          throw TaskError(
            .invalid, "A task has at most \(Self.maxFiles) artifacts; there are \(names.count).")
        }
        let bytes = try await onThread(Self.places) { () throws(TaskError) in
          try Self.read("\(place)/\(name)")
        }
        try await work.leave(name, bytes)
      } catch {
        work.log("stderr", "The artifact \(name) isn't stored. \(error.message)")
      }
    }
    await Self.run(Self.places) { Self.removeFolder(place) }
  }

  // MARK: On the thread

  private func onThread<Value: Sendable>(
    _ queue: DispatchQueue = thread, _ work: @escaping @Sendable () throws(TaskError) -> Value
  ) async throws(TaskError) -> Value {
    try await Self.run(queue) { Result { () throws(TaskError) in try work() } }.get()
  }

  private static func run<Value: Sendable>(
    _ queue: DispatchQueue = thread, _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
