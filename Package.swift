// swift-tools-version: 6.2
import PackageDescription

// `ANTEROOM_EMBEDDED=1 swift build --scratch-path .build-embedded` builds the lower targets as Embedded Swift.
let isEmbedded = Context.environment["ANTEROOM_EMBEDDED"] != nil

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("StrictMemorySafety", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
// As Embedded Swift for size, each function in a section of its own: a linker that collects sections leaves out what isn't called.
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"),
  .unsafeFlags(["-Osize", "-Xfrontend", "-function-sections"], .when(configuration: .release)),
]
let settings = strict + (isEmbedded ? embedded : [])

// What seals: libsodium, or CryptoKit on Apple's systems, where nothing has to be shipped for it. `ANTEROOM_SEALING=libcrypto` takes
// OpenSSL's libcrypto, for tests alone: `Tests/run-tests` builds `sealing-peer` with it, and each reads what the other wrote.
enum Sealing: String, CaseIterable {
  case libsodium = "Libsodium"
  case libcrypto = "Libcrypto"
  case cryptoKit = "CryptoKit"
}
#if os(macOS)
  let sealing = Sealing.cryptoKit
#else
  let sealing: Sealing = Context.environment["ANTEROOM_SEALING"] == "libcrypto" ? .libcrypto : .libsodium
#endif
let sealingLibrary: [Target.Dependency] =
  switch sealing {
  case .libsodium: ["CSodium"]
  case .libcrypto: ["CLibcrypto"]
  case .cryptoKit: []
  }
let sealingExclude =
  Sealing.allCases.filter { $0 != sealing }.map(\.rawValue) + (sealing == .libsodium ? ["Portable"] : [])

// A resource brings Foundation along, which is loaded on Apple's systems anyway, and never elsewhere.
#if os(macOS)
  let privacyManifest = (exclude: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#else
  let privacyManifest = (exclude: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#endif

let foundations: [Target] = [
  .target(name: "CSystem"),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
  // `@_lifetime` on what it lends: the compiler then keeps views within the life of their owner, in every target.
  .target(
    name: "RawMemory", dependencies: ["CSystem"], swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
  .target(name: "StorageIO", dependencies: ["RawMemory", "CSystem", "CZlib"], swiftSettings: settings),
  .target(
    name: "Sealing", dependencies: ["RawMemory", "CSystem"] + sealingLibrary, exclude: sealingExclude, swiftSettings: settings),
  .target(
    name: "MailboxLog", dependencies: ["RawMemory", "StorageIO", "Sealing"], exclude: privacyManifest.exclude,
    resources: privacyManifest.resources, swiftSettings: settings),
  // For C: the header, and what implements it. The archive is built as Embedded Swift, see `Examples/run-c-helper`.
  .target(name: "CAnteroomMailbox"),
  .target(name: "AnteroomMailbox", dependencies: ["CAnteroomMailbox", "MailboxLog"], swiftSettings: settings),
]

let embeddedOnly: [Target] = [
  .executableTarget(
    name: "embedded-helper", dependencies: ["MailboxLog"], path: "Examples/EmbeddedHelper", swiftSettings: settings)
]

// Two builds of this, one with libsodium and one with libcrypto, say the same and read each other's files.
let sealingTranscript = Target.target(
  name: "SealingTranscript", dependencies: ["MailboxLog", "Sealing", "RawMemory"], path: "Tests/SealingTranscript",
  exclude: ["primitives.txt"], swiftSettings: settings)
let sealingPeer = Target.executableTarget(
  name: "sealing-peer", dependencies: ["SealingTranscript"], path: "Tests/sealing-peer", swiftSettings: settings)
let libcryptoOnly: [Target] = [
  .systemLibrary(
    name: "CLibcrypto", path: "Tests/CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
  sealingTranscript, sealingPeer,
]

let fullLanguage: [Target] = [
  sealingTranscript, sealingPeer,
  .target(name: "MailboxListening", dependencies: ["MailboxLog", "StorageIO"], swiftSettings: settings),
  .target(name: "MailboxPromotion", dependencies: ["MailboxLog", "MailboxListening"], swiftSettings: settings),
  .target(name: "StorageEngine", dependencies: ["RawMemory", "StorageIO", "Sealing"], swiftSettings: settings),
  .target(
    name: "ObjectStorage", dependencies: ["StorageEngine", "RawMemory", "StorageIO", "Sealing"], swiftSettings: settings),
  .target(
    name: "Anteroom", dependencies: ["MailboxLog", "MailboxListening", "MailboxPromotion", "ObjectStorage", "StorageEngine"],
    swiftSettings: settings),
  // For the tests of those who use the library.
  .target(name: "AnteroomTesting", swiftSettings: settings),
  .target(
    name: "KVToolCommands",
    dependencies: ["MailboxLog", "ObjectStorage", "StorageEngine", "StorageIO", "Sealing", "RawMemory", "CSystem"],
    swiftSettings: settings),
  .executableTarget(name: "kvtool", dependencies: ["KVToolCommands"], swiftSettings: settings),

  // The benchmarks of the engine, here and not in `Benchmarks` because what they call isn't public, and of objects. In no product.
  .target(name: "CEngineMeasure", path: "Benchmarks/Sources/CMeasure"),
  .executableTarget(
    name: "engine-bench", dependencies: ["CEngineMeasure", "StorageEngine", "Sealing", "RawMemory"],
    path: "Benchmarks/engine-bench", swiftSettings: settings),
  .executableTarget(
    name: "price-list", dependencies: ["MailboxLog"], path: "Benchmarks/price-list", swiftSettings: settings),
  .executableTarget(
    name: "objects-bench", dependencies: ["CEngineMeasure", "ObjectStorage"], path: "Benchmarks/objects-bench",
    swiftSettings: settings),

  // Examples.
  .systemLibrary(
    name: "CSQLite", path: "Examples/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .target(
    name: "SQLiteTarget", dependencies: ["CSQLite", "MailboxPromotion"], path: "Examples/SQLiteTarget",
    swiftSettings: settings),
  .target(name: "ChatPush", dependencies: ["CSodium"], path: "Examples/Chat/ChatPush", swiftSettings: settings),
  .executableTarget(
    name: "chat-helper", dependencies: ["ChatPush", "MailboxLog"], path: "Examples/Chat/chat-helper",
    swiftSettings: settings),
  .executableTarget(
    name: "chat-app", dependencies: ["ChatPush", "Anteroom", "SQLiteTarget", "CZlib"],
    path: "Examples/Chat/chat-app", swiftSettings: settings),
  .executableTarget(
    name: "mailbox-drain", dependencies: ["Anteroom"], path: "Examples/Daemon", exclude: ["mailbox-drain.service"],
    swiftSettings: settings),
  .executableTarget(name: "tour", dependencies: ["Anteroom"], path: "Examples/Tour", swiftSettings: settings),

  // Tests.
  .target(name: "CForkSupport", path: "Tests/CForkSupport"),
  .target(
    name: "TestSupport",
    dependencies: ["CForkSupport", "CSystem", "RawMemory", "StorageIO", "Sealing", "MailboxLog", "MailboxPromotion"],
    path: "Tests/TestSupport", swiftSettings: settings),
  .executableTarget(
    name: "mailbox-worker", dependencies: ["TestSupport", "MailboxLog", "MailboxListening", "MailboxPromotion", "SQLiteTarget"],
    path: "Tests/mailbox-worker", swiftSettings: settings),
  .executableTarget(
    name: "log-worker", dependencies: ["TestSupport", "MailboxLog", "MailboxListening"], path: "Tests/log-worker",
    swiftSettings: settings),
  .executableTarget(
    name: "storage-worker", dependencies: ["CForkSupport", "ObjectStorage", "StorageEngine", "StorageIO", "Sealing", "RawMemory"],
    path: "Tests/storage-worker", swiftSettings: settings),
  .testTarget(name: "TidyTests", swiftSettings: settings),
  .testTarget(
    name: "StorageIOTests", dependencies: ["CForkSupport", "CSystem", "StorageIO", "RawMemory", "TestSupport"],
    swiftSettings: settings),
  .testTarget(name: "SealingTests", dependencies: ["Sealing", "RawMemory"], swiftSettings: settings),
  .testTarget(
    name: "MailboxLogTests",
    dependencies: [
      "MailboxLog", "MailboxListening", "Sealing", "StorageIO", "RawMemory", "CSystem", "TestSupport", "mailbox-worker",
      "log-worker", "SealingTranscript",
    ],
    exclude: ["Golden"], swiftSettings: settings),
  .testTarget(
    name: "StorageEngineTests",
    dependencies: [
      "StorageEngine", "Sealing", "StorageIO", "RawMemory", "CSystem", "CForkSupport", "TestSupport", "storage-worker",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "ObjectStorageTests",
    dependencies: [
      "ObjectStorage", "StorageEngine", "Sealing", "StorageIO", "RawMemory", "TestSupport", "CSQLite", "storage-worker",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "MailboxPromotionTests",
    dependencies: ["MailboxPromotion", "MailboxLog", "TestSupport", "SQLiteTarget", "mailbox-worker"], swiftSettings: settings),
  .testTarget(
    name: "AnteroomTests",
    dependencies: [
      "Anteroom", "AnteroomTesting", "MailboxLog", "MailboxListening", "MailboxPromotion", "ObjectStorage", "StorageEngine",
      "TestSupport", "mailbox-drain",
    ],
    swiftSettings: settings),
  // Clients as any app is one: they see what is public, and in Swift 5 mode they still build.
  .testTarget(name: "ContractTests", dependencies: ["Anteroom"], packageAccess: false, swiftSettings: settings),
  .testTarget(
    name: "ContractFiveTests", dependencies: ["Anteroom"], packageAccess: false,
    swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
  .testTarget(
    name: "KVToolTests",
    dependencies: [
      "KVToolCommands", "kvtool", "MailboxLog", "ObjectStorage", "StorageEngine", "StorageIO", "RawMemory", "TestSupport",
      "storage-worker",
    ],
    exclude: ["MMKV"], swiftSettings: settings),
]

let package = Package(
  name: "anteroom",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: isEmbedded || sealing == .libcrypto
    ? [.library(name: "AnteroomMailbox", type: .static, targets: ["AnteroomMailbox"])]
    : [
      .library(name: "MailboxLog", targets: ["MailboxLog"]),
      .library(name: "MailboxListening", targets: ["MailboxListening"]),
      .library(name: "MailboxPromotion", targets: ["MailboxPromotion"]),
      .library(name: "ObjectStorage", targets: ["ObjectStorage"]),
      .library(name: "Anteroom", targets: ["Anteroom"]),
      .library(name: "AnteroomTesting", targets: ["AnteroomTesting"]),
      .executable(name: "kvtool", targets: ["kvtool"]),
    ],
  targets: foundations + (sealing == .libcrypto ? libcryptoOnly : isEmbedded ? embeddedOnly : fullLanguage)
)
