import Glibc

/// The relation of a process to this one.
public enum ProcessLineage: Sendable, Equatable {
  /// It isn't a descendant of this process.
  case outside
  /// It is this child or a descendant of it. If `isKnown` is false, this process hasn't started the
  /// child. The child lost its parent and was re-parented.
  case below(child: Int32, isKnown: Bool)
  /// It has ended, or its ancestors can't be read.
  case unknown

  private static let maxGenerations = 256

  /// Returns the present lineage of a process.
  public static func of(_ pid: Int32) -> ProcessLineage {
    find(pid, own: getpid(), parent: { ProcessStat.read($0)?.parent }) {
      KnownChildren.ofThisProcess.contains($0)
    }
  }

  static func find(
    _ pid: Int32, own: Int32, parent: (Int32) -> Int32?, isKnown: (Int32) -> Bool
  ) -> ProcessLineage {
    var current = pid
    for _ in 0..<maxGenerations {
      if current == own { return .outside }
      guard let next = parent(current) else { return .unknown }
      if next == own { return .below(child: current, isKnown: isKnown(current)) }
      if next <= 1 { return .outside }
      current = next
    }
    return .unknown
  }
}
