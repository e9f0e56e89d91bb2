/// What to run and how to keep it running: everything that supervision knows of a child.
///
/// Its ``ChildTerms`` are members of it too: `spec.limits` is `spec.terms.limits`.
@dynamicMemberLookup
public struct ChildSpec: Sendable {
  /// The child's name, unique within a supervisor.
  public var name: String
  private var shared: SharedTerms

  /// All but the name. Copies of a spec share the memory for it, also under other names: of hundreds
  /// of children most are alike.
  public var terms: ChildTerms {
    get { shared.terms }
    set { shared = SharedTerms(newValue) }
  }

  /// A child with defaults for what isn't given.
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

  /// The same spec, in the memory of `other` as far as both have the same terms.
  public func sharing(with other: ChildSpec?) -> ChildSpec {
    guard var other, other.terms == terms else { return self }
    other.name = name
    return other
  }

  /// A member of its terms.
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
  /// Children of one key share a pool of warm spares; `nil`: always a cold start. A spare is taken
  /// only when its command equals this child's.
  public var spareKey: String?
  /// Which descriptors the process is born with.
  public var descriptors: ChildDescriptors
}

private final class SharedTerms: Sendable {
  let terms: ChildTerms

  init(_ terms: ChildTerms) { self.terms = terms }
}

/// The executable of a child with its arguments, environment and working directory.
public struct ChildCommand: Sendable, Equatable {
  /// A path, or a name that is searched in the `PATH` of `environment`.
  public var executable: String
  /// The arguments after the program's own name.
  public var arguments: [String]
  /// The whole environment as `NAME=value`; nothing is inherited from the host.
  public var environment: [String]
  /// The directory in which the process starts; the host's directory when `nil`.
  public var workingDirectory: String?

  /// A command.
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
  /// Its end of the socket pair; `nil`: it gets none, and the channel none either.
  public var socket: Int32?
  /// The write end of a pipe for a crash report; `nil`: none.
  public var crash: Int32?
  /// Whether standard output and standard error are read, line by line; otherwise they are the
  /// host's.
  public var capturesOutput: Bool

  /// Descriptors as the worker protocol has them.
  public init(socket: Int32? = 3, crash: Int32? = 4, capturesOutput: Bool = true) {
    self.socket = socket
    self.crash = crash
    self.capturesOutput = capturesOutput
  }
}

/// Time limits for a child.
public struct ChildTimeouts: Sendable, Equatable {
  /// From the spawn until READY.
  public var ready: Duration
  /// From STOP until SIGTERM.
  public var stop: Duration
  /// From SIGTERM until SIGKILL.
  public var terminate: Duration
  /// Between an answered ping and the next; `nil`: the child isn't pinged.
  public var pingInterval: Duration?
  /// How long an answer to a ping may take before the child counts as stuck.
  public var pingAnswer: Duration
  /// How long a child may run after it closed its socket.
  public var hangUp: Duration

  /// Timeouts with defaults for what isn't given.
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

/// The resources that a child and its descendants may use; no limit when `nil`.
public struct ChildLimits: Sendable, Equatable {
  /// Resident memory in bytes, sampled.
  public var memory: Int?
  /// Processor time as a share of one core (1.5: one and a half), over `cpuWindow`, sampled.
  public var cpu: Double?
  /// The window of `cpu`.
  public var cpuWindow: Duration
  /// Open files of the process (RLIMIT_NOFILE).
  public var files: Int?
  /// Processes, the child included, sampled.
  public var processes: Int?
  /// The number of threads of the child and its descendants, sampled.
  public var threads: Int?
  /// RLIMIT_DATA in bytes, the kernel's own bound behind `memory`. By default twice the memory and
  /// 256 MB for stacks that are reserved and never touched.
  public var data: Int?

  /// Limits; none by default.
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

  /// Whether anything has to be sampled.
  var isSampled: Bool { threads != nil || countsFamily }

  /// Whether its descendants have to be looked for.
  var countsFamily: Bool {
    memory != nil || cpu != nil || processes != nil
  }

  private static func dataBound(memory: Int) -> Int {
    let (double, over) = memory.multipliedReportingOverflow(by: 2)
    let (sum, carry) = double.addingReportingOverflow(256 << 20)
    return over || carry ? .max : sum
  }
}
