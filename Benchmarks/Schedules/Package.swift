// swift-tools-version: 6.2
// The benchmark of schedules beside cronsim: a package of its own, which compiles nothing but the
// room (by a link to the host's own sources).
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "schedule-benchmarks",
  targets: [
    .target(name: "AgentSchedules", swiftSettings: settings),
    .executableTarget(
      name: "schedules-bench", dependencies: ["AgentSchedules"], swiftSettings: settings),
  ]
)
