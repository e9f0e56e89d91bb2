import BenchSupport
import CProbes
import Glibc

/// A running program.
struct Program {
  let pid: Int32

  /// Starts `arguments[0]` in a folder; what it says is appended to `log`.
  init(_ arguments: [String], in folder: String, log: String) throws(BenchError) {
    let copies = arguments.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var pointers = copies.map { UnsafePointer($0) }
    pointers.append(nil)
    pid = process_start(&pointers, folder, log)
    guard pid > 0 else { throw BenchError("\(arguments[0]) can't be started: errno \(-pid).") }
  }

  /// Waits for the end: the exit status, and the CPU time in nanoseconds.
  func wait() -> (status: Int32, cpu: Double) {
    var cpu: Int64 = 0
    let status = process_wait(pid, &cpu)
    return (status, Double(cpu))
  }

  /// Runs a program to its end; an exit status other than 0 is an error.
  static func run(
    _ arguments: [String], in folder: String, log: String
  ) throws(BenchError) -> Double {
    let (status, cpu) = try Program(arguments, in: folder, log: log).wait()
    guard status == 0 else {
      throw BenchError("\(arguments.joined(separator: " ")) ended with \(status); see \(log).")
    }
    return cpu
  }
}
