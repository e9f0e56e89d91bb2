internal import AgentSystem
internal import Glibc

/// Statistics of this process that the kernel keeps.
///
/// Rationale: the names and meanings are those of every Prometheus client:
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
package struct ProcessStatistics: Sendable {
  var processorSeconds = 0.0
  var residentBytes = 0
  var virtualBytes = 0
  var openDescriptors = 0
  var maxDescriptors = 0
  var threads = 0

  /// Reads the statistics. It blocks on files, so it is called on a thread that may block. Values
  /// that can't be read are 0.
  package static func read() -> ProcessStatistics {
    var statistics = ProcessStatistics()
    var usage = rusage()
    if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
      statistics.processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
    let fields = (text(of: "/proc/self/statm") ?? "").split(separator: " ").map { Int($0) ?? 0 }
    let page = sysconf(Int32(clamping: _SC_PAGESIZE))
    if let all = fields.first, let resident = fields.dropFirst().first {
      statistics.virtualBytes = all &* page
      statistics.residentBytes = resident &* page
    }
    statistics.maxDescriptors = DescriptorLimit.current
    // The folder that is being read is one of the open descriptors.
    statistics.openDescriptors = max(0, entries(of: "/proc/self/fd") - 1)
    statistics.threads = entries(of: "/proc/self/task")
    return statistics
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  private static func entries(of folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      let isOwnOrParent = entry.pointee.d_name.0 == CChar(clamping: UInt8(ascii: "."))
      if !isOwnOrParent { count += 1 }
    }
    return count
  }

  private static func text(of file: String) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}

extension MetricsPage {
  /// Adds the statistics of the host's process.
  /// - Parameter startedAt: the start of the process, in Unix seconds.
  package mutating func add(_ process: ProcessStatistics, startedAt: Double) {
    counter(
      "process_cpu_seconds_total", help: "Processor time of the host, of its user and the system.",
      value: process.processorSeconds)
    gauge(
      "process_resident_memory_bytes", help: "Resident memory of the host.",
      value: process.residentBytes)
    gauge(
      "process_virtual_memory_bytes", help: "Address space of the host.",
      value: process.virtualBytes)
    gauge("process_open_fds", help: "Open descriptors.", value: process.openDescriptors)
    gauge(
      "process_max_fds", help: "Maximum number of open descriptors.", value: process.maxDescriptors
    )
    gauge("process_threads", help: "Threads of the host.", value: process.threads)
    gauge(
      "process_start_time_seconds", help: "Start time of the host, in Unix seconds.",
      value: startedAt)
  }
}
