internal import Synchronization

/// The file that a piece of work has begun to use last, for the message when the work takes too
/// long. Any thread.
package final class FileProgress: Sendable {
  /// The progress of the work on this thread or in this task.
  @TaskLocal package static var current: FileProgress?

  private let last = Mutex<String?>(nil)

  /// Makes one for one piece of work.
  package init() {}

  /// The path. Nil means that no file was used yet.
  package var path: String? { last.withLock { $0 } }

  func begins(_ path: String) { last.withLock { $0 = path } }
}
