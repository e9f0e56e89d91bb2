/// The facts about a bot that decisions need, in a few contiguous bytes.
struct BotSlot {
  var load: Int32 = 0
  var most: Int32 = 1
  /// Whether it takes tasks, apart from free slots.
  var takes = false
  /// The priority levels that it prefers, as bits.
  var levels: UInt8 = 0
  var lastActive: Int64 = 0
  /// The sequence number of its last assignment.
  var turn: Int64 = 0

  var hasFreeSlot: Bool { load < most }
}

/// The load and the limit of a capability.
struct Cell {
  var load: Int32 = 0
  var most: Int32 = .max
}

/// A capability of a bot in the list of a type of task.
struct Entry {
  let slot: Int32
  let cell: Int32
  let boost: Int32
  /// The index of the capability in the bot's definition.
  let position: Int32
}
