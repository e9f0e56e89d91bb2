/// The command and the rules of a child. Supervision knows nothing else about it.
///
/// The members of its ``ChildTerms`` are also its own: `spec.limits` is `spec.terms.limits`.
@dynamicMemberLookup
public struct ChildSpec: Sendable {
  /// The child's name, unique within a supervisor.
  public var name: String
  private var shared: SharedTerms

  /// Everything except the name. Copies of a spec share its memory, also under other names, because
  /// most of hundreds of children are alike.
  public var terms: ChildTerms {
    get { shared.terms }
    set { shared = SharedTerms(newValue) }
  }

  public init(
    name: String, command: ChildCommand, restart: RestartPolicy = .init(),
    timeouts: ChildTimeouts = .init(), limits: ChildLimits = .init(), spareKey: String? = nil,
    descriptors: ChildDescriptors = .init()
  ) {
    self.name = name
    shared = SharedTerms(
      ChildTerms(
        command: command, restart: restart, timeouts: timeouts, limits: limits,
        spareKey: spareKey, descriptors: descriptors))
  }

  /// Returns the same spec in the memory of `other`, if both have equal terms.
  public func sharing(with other: ChildSpec?) -> ChildSpec {
    guard var other, other.terms == terms else { return self }
    other.name = name
    return other
  }

  /// A member of the terms.
  public subscript<Value>(dynamicMember path: WritableKeyPath<ChildTerms, Value>) -> Value {
    get { shared.terms[keyPath: path] }
    set { terms[keyPath: path] = newValue }
  }
}

extension ChildSpec: Equatable {
  /// Whether both have the same name and equal terms.
  public static func == (one: ChildSpec, other: ChildSpec) -> Bool {
    one.name == other.name && (one.shared === other.shared || one.terms == other.terms)
  }
}

/// The command and the rules of a child, independent of its name.
public struct ChildTerms: Sendable, Equatable {
  /// The process to start.
  public var command: ChildCommand
  /// When an ended process is started again.
  public var restart: RestartPolicy
  public var timeouts: ChildTimeouts
  public var limits: ChildLimits
  /// The key of a pool of warm spares, which children of one key share. `nil` means that each start
  /// is a cold one. A spare is used only if its command equals this child's.
  public var spareKey: String?
  /// The descriptors that the process inherits.
  public var descriptors: ChildDescriptors
}

private final class SharedTerms: Sendable {
  let terms: ChildTerms

  init(_ terms: ChildTerms) { self.terms = terms }
}

/// The executable of a child with its arguments, environment and working directory.
public struct ChildCommand: Sendable, Equatable {
  /// A path, or a name that is looked up in the `PATH` of `environment`.
  public var executable: String
  public var arguments: [String]
  /// The whole environment as `NAME=value`. The child inherits nothing from the host's.
  public var environment: [String]
  /// The working directory. `nil` means the host's.
  public var workingDirectory: String?

  public init(
    executable: String, arguments: [String] = [], environment: [String] = [],
    workingDirectory: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
  }
}

/// The numbers of the descriptors that a child inherits. Its standard input is `/dev/null`.
public struct ChildDescriptors: Sendable, Equatable {
  /// The child's end of the socket pair. `nil` means that neither the child nor the channel has
  /// one.
  public var socket: Int32?
  /// The write end of the pipe for a crash report. `nil` means that there is none.
  public var crash: Int32?
  /// Whether standard output and standard error are read line by line. Otherwise they are the
  /// host's.
  public var capturesOutput: Bool

  /// Makes the descriptors of the worker protocol.
  public init(socket: Int32? = 3, crash: Int32? = 4, capturesOutput: Bool = true) {
    self.socket = socket
    self.crash = crash
    self.capturesOutput = capturesOutput
  }
}

/// Time limits for a child.
public struct ChildTimeouts: Sendable, Equatable {
  /// The time from the spawn to READY.
  public var ready: Duration
  /// The time from STOP to SIGTERM.
  public var stop: Duration
  /// The time from SIGTERM to SIGKILL.
  public var terminate: Duration
  /// The time from the answer to a ping until the next ping. `nil` means that the child isn't
  /// pinged.
  public var pingInterval: Duration?
  /// The time for the answer to a ping. After it the child counts as stuck.
  public var pingAnswer: Duration
  /// The time that a child may run after it closed its socket.
  public var hangUp: Duration

  public init(
    ready: Duration = .seconds(30), stop: Duration = .seconds(5),
    terminate: Duration = .seconds(2), pingInterval: Duration? = .seconds(5),
    pingAnswer: Duration = .seconds(15), hangUp: Duration = .seconds(1)
  ) {
    self.ready = ready
    self.stop = stop
    self.terminate = terminate
    self.pingInterval = pingInterval
    self.pingAnswer = pingAnswer
    self.hangUp = hangUp
  }
}

/// The limits on resources for a child and its descendants. `nil` means no limit.
public struct ChildLimits: Sendable, Equatable {
  /// Resident memory in bytes. It is sampled.
  public var memory: Int?
  /// Processor time over `cpuWindow` as a share of one core, such as 1.5. It is sampled.
  public var cpu: Double?
  /// The window of `cpu`.
  public var cpuWindow: Duration
  /// Open files of the process (RLIMIT_NOFILE).
  public var files: Int?
  /// The number of processes, including the child. It is sampled.
  public var processes: Int?
  /// The number of threads of the child and its descendants. It is sampled.
  public var threads: Int?
  /// RLIMIT_DATA in bytes, which the kernel itself enforces besides `memory`. The default is twice
  /// `memory` plus 256 MB, because stacks are reserved and never touched.
  public var data: Int?

  /// Makes limits. The default is none.
  public init(
    memory: Int? = nil, cpu: Double? = nil, cpuWindow: Duration = .seconds(10),
    files: Int? = nil, processes: Int? = nil, threads: Int? = nil, data: Int? = nil
  ) {
    self.memory = memory
    self.cpu = cpu
    self.cpuWindow = cpuWindow
    self.files = files
    self.processes = processes
    self.threads = threads
    self.data = data ?? memory.map { Self.dataBound(memory: $0) }
  }

  /// Whether any limit is sampled.
  var isSampled: Bool { threads != nil || countsFamily }

  /// Whether the samples include the descendants.
  var countsFamily: Bool {
    memory != nil || cpu != nil || processes != nil
  }

  private static func dataBound(memory: Int) -> Int {
    let (double, over) = memory.multipliedReportingOverflow(by: 2)
    let (sum, carry) = double.addingReportingOverflow(256 << 20)
    return over || carry ? .max : sum
  }
}
