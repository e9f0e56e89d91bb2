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

let package = Package(
  name: "benchmarks",
  dependencies: [.package(path: "../SDK")],
  targets: [
    .target(name: "CProbes"),
    .executableTarget(name: "raw-child"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CProbes", .product(name: "AgentJSON", package: "SDK"),
        .product(name: "CAgentModule", package: "SDK"),
      ],
      swiftSettings: settings),
  ]
)
