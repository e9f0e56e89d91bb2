internal import BenchSupport
internal import Glibc

// tasks-bench WHAT FILE COUNT … : one measurement, as lines of `name number`.
let words = CommandLine.arguments
guard words.count >= 4, let count = Int(words[3]) else {
  exitWithUsage(
    """
    tasks-bench own|assign FILE COUNT [FINISHED] | tasks-bench probe FILE COUNT GROUP
      | tasks-bench schedules FILE COUNT | tasks-bench hold FILE 0
      | tasks-bench fill FILE TASKS KEYS TYPES BOTS
    """)
}
let more = words.count > 4 ? Int(words[4]) : nil
if words[1] != "hold" { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(words[2] + suffix) } }
switch words[1] {
case "own": try await OwnEngine.measure(words[2], count, finished: more ?? 0)
case "assign": try await Assignments.measure(words[2], count, finished: more ?? 0)
case "schedules": try await Schedules.fill(words[2], count)
case "fill":
  let numbers = words.dropFirst(4).compactMap { Int($0) }
  guard numbers.count == 3, numbers[1] > 0 else { exit(2) }
  try await Fill.run(
    words[2], Fill.Size(tasks: count, keys: numbers[0], types: numbers[1], bots: numbers[2]))
case "hold": try await Schedules.hold(words[2])
default: try Probe.measure(words[2], count, group: more ?? 100)
}
