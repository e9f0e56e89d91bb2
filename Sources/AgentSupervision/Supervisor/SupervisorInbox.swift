/// Inputs that wait for their child's state machine. An input that arrives while another is
/// processed waits until that is done. A machine is therefore never entered twice.
struct SupervisorInbox {
  struct Entry {
    let child: UInt64
    /// The process of the input. If the child has another process by then, the input is dropped.
    let generation: UInt64?
    let input: ChildInput
  }

  private var entries: [Entry] = []
  private var next = 0
  private(set) var isBeingDrained = false

  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  /// Returns whether the caller has to drain the inbox.
  mutating func beginDraining() -> Bool {
    if isBeingDrained { return false }
    isBeingDrained = true
    return true
  }

  /// Returns the next entry. `nil` ends the draining.
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
