/// The limits of a query's work in steps. See ``WorkMeter``.
struct WorkLimits: Sendable, Hashable {
  /// The maximum number of steps of a row. A row that needs more is left out.
  var row = 16 << 20
  /// The maximum number of steps of the outputs of one moment.
  var outputs = 256 << 20
  /// The number of steps after which other queries run.
  var slice = 1 << 20
}
