internal import Glibc

// tasks-bench own|probe FILE COUNT … : one measurement, as lines of `name number`.
let words = CommandLine.arguments
guard words.count >= 4, let count = Int(words[3]) else {
  print("usage: tasks-bench own FILE COUNT [FINISHED] | tasks-bench probe FILE COUNT GROUP")
  exit(2)
}
for suffix in ["", "-wal", "-shm", ".lock"] { unlink(words[2] + suffix) }
switch words[1] {
case "own":
  try await OwnEngine.measure(words[2], count, finished: words.count > 4 ? Int(words[4]) ?? 0 : 0)
default:
  try Probe.measure(words[2], count, group: words.count > 4 ? Int(words[4]) ?? 100 : 100)
}
