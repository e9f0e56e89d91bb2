import AgentStore
import BenchSupport
import CStoreProbe

/// Plain SQLite on a file that the store has made.
struct Probe {
  let path: String

  /// Makes the file.
  init(path: String) async throws {
    self.path = path
    await (try SQLiteStore.open(SQLiteStoreConfiguration(path: path))).close()
  }

  /// Nanoseconds of each of `groups` transactions with `rows` events.
  func append(groups: Int, rows: Int) throws -> [Double] {
    var durations = [Int64](repeating: 0, count: groups)
    let code = store_probe_append(path, Int64(groups), Int64(rows), &durations)
    guard code == 0 else { throw BenchError("SQLite refused the probe: \(code).") }
    return durations.map(Double.init)
  }

  /// Events a second, in groups of `rows`.
  func rate(groups: Int, rows: Int) throws -> Double {
    let durations = try append(groups: groups, rows: rows)
    return Double(groups * rows) / durations.reduce(0, +) * 1e9
  }
}

extension NewEvent {
  /// An event as the probe's.
  static let machine = NewEvent(
    type: "machine", timestamp: 1_700_000_000_000, source: "probe",
    body: Array(
      (#"{"type":"machine","timestamp":1700000000000,"source":"probe","mnemonic":"HKLA","#
        + #""value":123.456,"uom":"klbf"}"#).utf8))
}
