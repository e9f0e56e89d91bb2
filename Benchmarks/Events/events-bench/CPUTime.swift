import Glibc

/// Nanoseconds of CPU time, of all threads, that `body` takes.
func cpuTime(_ body: () throws -> Void) rethrows -> Double {
  let start = now()
  try body()
  return now() - start
}

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
