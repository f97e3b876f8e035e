// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Anteroom builds benchmarks or needs what their peers need.
// `run` and `gate` build it, and compile the C programs beside it: the floor, and the peers that pkg-config finds.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("StrictMemorySafety", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "anteroom-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "anteroom", path: "..")],
  targets: [
    .target(name: "CMeasure"),
    .executableTarget(
      name: "helper-bench", dependencies: ["CMeasure", .product(name: "MailboxLog", package: "anteroom")],
      swiftSettings: settings),
    .executableTarget(
      name: "log-bench", dependencies: ["CMeasure", .product(name: "MailboxLog", package: "anteroom")],
      swiftSettings: settings),
  ]
)
