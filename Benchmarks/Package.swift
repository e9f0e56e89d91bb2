// swift-tools-version: 6.2
// What `make bench` runs: small programs that start the built executables, each figure beside its
// probe. Rationale: package-benchmark brings dependencies that this repository doesn't want.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")

let package = Package(
  name: "benchmarks",
  dependencies: [.package(path: "../SDK")],
  targets: [
    .target(
      name: "CProbes",
      dependencies: [.product(name: "CAgentModule", package: "SDK")]),
    .executableTarget(name: "raw-child"),
    .target(name: "AgentWorkerProtocol", dependencies: [json], swiftSettings: settings),
    .executableTarget(
      name: "bench", dependencies: ["CProbes", "AgentWorkerProtocol", json],
      swiftSettings: settings),
  ]
)
