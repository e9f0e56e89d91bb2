/// Inputs that wait for their child's machine. An input that arrives while another is processed
/// waits until that is done, so a machine is never entered twice.
struct SupervisorInbox {
  struct Entry {
    let child: UInt64
    /// The process that the input is about. If the child has another process by then, the input is
    /// dropped.
    let generation: UInt64?
    let input: ChildInput
  }

  private var entries: [Entry] = []
  private var next = 0
  private(set) var isBeingDrained = false

  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  /// Whether the caller is the one to drain.
  mutating func beginDraining() -> Bool {
    if isBeingDrained { return false }
    isBeingDrained = true
    return true
  }

  /// The next entry; with `nil` the draining has ended.
  mutating func popFirst() -> Entry? {
    guard next < entries.count else {
      entries.removeAll(keepingCapacity: entries.capacity < 1024)
      next = 0
      isBeingDrained = false
      return nil
    }
    next += 1
    return entries[next - 1]
  }
}
