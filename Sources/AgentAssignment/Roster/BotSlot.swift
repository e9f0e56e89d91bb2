/// What decisions need of a bot: few bytes, side by side.
struct BotSlot {
  var load: Int32 = 0
  var most: Int32 = 1
  /// Whether it takes tasks, room left aside.
  var takes = false
  /// The levels of priority that it prefers, as bits.
  var levels: UInt8 = 0
  var lastActive: Int64 = 0
  /// The turn in which it last got a task.
  var turn: Int64 = 0

  var hasRoom: Bool { load < most }
}

/// How much of a capability is taken.
struct Cell {
  var load: Int32 = 0
  var most: Int32 = .max
}

/// A bot's capability in the list of a type of task.
struct Entry {
  let slot: Int32
  let cell: Int32
  let boost: Int32
  /// Which of the bot's capabilities.
  let position: Int32
}
