import AgentStore
import Glibc

/// What Tools/torture-store.sh kills, starves and checks.
///
///     store-torture write FILE ACKS COUNT    8 producers, until COUNT writes are acknowledged
///     store-torture fill FILE ACKS BALLAST   until the disk is full, then without the ballast
///     store-torture check FILE ACKS          whether all that was acknowledged is there
@main
struct StoreTorture {
  static func main() async {
    let arguments = CommandLine.arguments
    do {
      switch (arguments.dropFirst().first, arguments.count) {
      case ("write", 5):
        guard let count = Int(arguments[4]) else { throw TortureError("COUNT is a number.") }
        try await Producers(file: arguments[2], acks: arguments[3]).run(count)
      case ("fill", 5):
        try await FullDisk(file: arguments[2], acks: arguments[3], ballast: arguments[4]).run()
      case ("check", 4):
        print(try await Verdict(file: arguments[2], acks: arguments[3]).text())
      default: throw TortureError("usage: store-torture write|fill|check FILE ACKS [COUNT|BALLAST]")
      }
    } catch {
      print("store-torture: \(error)")
      exit(1)
    }
  }
}

/// Something that must not be.
struct TortureError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
