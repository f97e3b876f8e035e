extension Rules {
  /// What each target may import of this package and of the libraries it wraps. Dependencies point down only.
  static let imports: [Substring: Set<Substring>] = [
    "RawMemory": ["CSystem"],
    "StorageIO": ["RawMemory", "CSystem", "CZlib"],
    "Sealing": ["RawMemory", "CSystem", "CSodium", "CLibcrypto"],
    "MailboxLog": ["RawMemory", "StorageIO", "Sealing"],
    "AnteroomMailbox": ["CAnteroomMailbox", "MailboxLog"],
    "MailboxListening": ["MailboxLog", "StorageIO", "Dispatch"],
    "MailboxPromotion": ["MailboxLog", "MailboxListening", "Dispatch"],
    "StorageEngine": ["RawMemory", "StorageIO", "Sealing"],
    "ObjectStorage": [
      "StorageEngine", "RawMemory", "StorageIO", "Sealing", "FoundationEssentials", "Foundation", "Dispatch",
      // For `@_spi(_Unicode)`: normal forms.
      "Swift",
    ],
    "Anteroom": [
      "MailboxLog", "MailboxListening", "MailboxPromotion", "ObjectStorage", "StorageEngine", "FoundationEssentials", "Foundation",
    ],
    "KVToolCommands": [
      "MailboxLog", "MailboxPromotion", "ObjectStorage", "StorageEngine", "StorageIO", "Sealing", "RawMemory", "CSystem",
      "FoundationEssentials", "Foundation",
    ],
    "kvtool": ["KVToolCommands"],
    "AnteroomTesting": ["FoundationEssentials", "Foundation"],
  ]

  /// Free of cost, and there in every form of the language.
  static let importsEverywhere: Set<Substring> = ["Synchronization"]

  /// For files about one platform, or about what Embedded Swift lacks. Foundation costs a helper 4 to 10 MB: never.
  static let importsOfThePlatform: Set<Substring> = ["Glibc", "Musl", "Darwin", "Dispatch", "CryptoKit", "Security"]

  /// On Apple's systems every process of an app has it loaded, and CryptoKit needs it.
  static let importsOfDarwin: Set<Substring> = ["Foundation"]

  static func imports(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    guard let own = imports[target] else { return [file.finding(1, "what may '\(target)' import? Add it to Rules.imports")] }
    let seesPlatform = file.isNamedForPlatform || file.path.hasSuffix("+FullLanguage.swift")
    let allowed = own.union(importsEverywhere).union(seesPlatform ? importsOfThePlatform : [])
      .union(file.isNamedForDarwin ? importsOfDarwin : [])
    return file.findings(in: file.codeLines) { line in
      guard let module = importedModule(line), !allowed.contains(module) else { return nil }
      return importsOfThePlatform.contains(module)
        ? "'\(module)' is imported in files named +Linux, +Darwin, +CryptoKit or +FullLanguage only"
        : "'\(target)' may not import '\(module)'"
    }
  }

  /// The module that a line of code imports, whatever attributes and access level stand in front.
  static func importedModule(_ line: Substring) -> Substring? {
    let words = Declaration.withoutAttributes(line).words
    guard let keyword = words.firstIndex(of: "import") else { return nil }
    guard words[..<keyword].allSatisfy(Declaration.modifiers.contains) else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    return words[(keyword + 1)...].first { !kinds.contains($0) }
  }

  /// Where the keyword `unsafe` may stand: the fence, the call wrappers, and outside of the libraries the files that bind a C
  /// library, known by what they import.
  static func unsafeCode(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, !isCallWrapper(file) else { return [] }
    return file.findings(in: file.codeLines) { line in
      line.words.contains("unsafe") ? "'unsafe' stands in RawMemory and the call wrappers only" : nil
    }
  }

  private static func isCallWrapper(_ file: SourceFile) -> Bool {
    switch file.target {
    case "RawMemory", "AnteroomMailbox": true
    case "AnteroomTesting": file.name == "ProcessMemory+Darwin.swift"
    case "StorageIO": file.name.hasPrefix("SystemCalls") || file.name == "Checksum.swift"
    case "Sealing":
      file.name == "GuardedPage.swift" || file.name == "PageAssociatedData.swift"
        || file.isIn(
          "Sources/Sealing/Libsodium", "Sources/Sealing/Libcrypto", "Sources/Sealing/CryptoKit", "Sources/Sealing/Portable")
    case .some: false
    case nil: file.codeLines.compactMap(importedModule).contains { $0 == "Glibc" || isCModule($0) }
    }
  }

  /// `CSodium`, not `Crypto`: the C modules of this package are named that way.
  private static func isCModule(_ name: Substring) -> Bool { name.first == "C" && name.dropFirst().first?.isUppercase == true }
}
