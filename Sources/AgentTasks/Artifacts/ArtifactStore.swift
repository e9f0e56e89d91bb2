internal import AgentStore
internal import Dispatch
internal import Glibc

/// Stores the artifacts of tasks as files. Each task has its own folder.
///
/// The database lists the artifacts and their files. A file never changes. A new artifact with the
/// same name gets a new file. A file is written before its row. If the host is killed in between,
/// the file remains until the task is removed.
public struct ArtifactStore: Sendable {
  /// The largest file, in bytes.
  public static let maxBytes = 16 << 20
  /// The largest number of files of a task.
  public static let maxFiles = 100
  /// The longest name, in bytes.
  static let longestName = 200

  /// The queue for blocking calls, which must not run on the threads of the concurrency pool.
  private static let thread = DispatchQueue(label: "agent.artifacts")
  /// The queue for the folders of running programs. It is separate, so that syncing a large file
  /// doesn't delay the start of a program.
  private static let places = DispatchQueue(label: "agent.artifacts.places")

  private let folder: String
  /// The folder for files of running programs. Only this run of the host uses it.
  private let running: String
  /// Makes the names in a folder durable. Returns whether that succeeded; if not, `errno` is set.
  private let sync: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - folder: the folder, which is created when the first file is written.
  ///   - run: a name that no other run of the host has.
  public init(folder: String, run: String) {
    self.init(folder: folder, run: run, sync: { FolderSync.sync($0) })
  }

  init(folder: String, run: String, sync: @escaping @Sendable (String) -> Bool) {
    self.folder = folder
    running = "\(folder)/run-\(run)"
    self.sync = sync
  }

  /// Returns the reason why this can't be the name of an artifact, or `nil` if it can.
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

  /// Writes a new file. The file and its name are durable when this returns.
  /// - Returns: the name of the file in the task's folder, for the row of the artifact.
  func write(_ bytes: [UInt8], of task: Int64) async throws(TaskError) -> String {
    let path = "\(folder)/\(task)"
    // The name of an artifact can't begin with a dot, so this doesn't collide with a file of a
    // former version, which has the name of its artifact.
    let file = ".\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    try await onThread { () throws(TaskError) in
      try Self.make(folder)
      try Self.make(path)
      try Self.write(bytes, to: "\(path)/\(file)")
      do throws(TaskError) {
        // All three, because the names of the task's folder and of the folder of all may be new too.
        for folder in [path, folder] {
          guard sync(folder) else { throw Self.problem("synced", folder) }
        }
        // EACCES, because the parent may belong to another user, so that it can't be opened.
        guard sync("\(folder)/..") || errno == EACCES else {
          throw Self.problem("synced", "\(folder)/..")
        }
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

  /// Returns the path of an artifact's file. Rows of former versions have no file name. Their file
  /// has the name of the artifact.
  private func path(of artifact: TaskArtifact) -> String {
    "\(folder)/\(artifact.task)/\(artifact.file.isEmpty ? artifact.name : artifact.file)"
  }

  /// Removes the folders of these tasks.
  func remove(_ tasks: [Int64]) async {
    guard !tasks.isEmpty else { return }
    await Self.run { for task in tasks { Self.removeFolder("\(folder)/\(task)") } }
  }

  /// Removes the folders of programs of former runs of the host.
  /// - Returns: the tasks that have a folder.
  func sweep() async -> [Int64] {
    await Self.run {
      let names = Self.names(in: folder)
      // A run that was killed couldn't remove the folders of its programs.
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

  /// Creates an empty folder in which an attempt's program may write artifacts.
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

  /// Stores the files of a program's folder as artifacts and removes the folder. A file that can't
  /// be stored is reported in the log of the task.
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
