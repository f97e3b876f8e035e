/// What holds of every file, each rule a function from a file to the places where it is broken.
enum Rules {
  static let lineCountMax = 400

  /// Split by concern into `Type+Concern.swift` before it gets there.
  static func length(_ file: SourceFile) -> [Finding] {
    guard file.isSwiftOrC, file.lineCount > lineCountMax else { return [] }
    return [file.finding(file.lineCount, "\(file.lineCount) lines; split it by concern, the most is \(lineCountMax)")]
  }

  /// In pieces, so that this file doesn't break the rule.
  static let unfinishedWords = [
    "to" + "do", "fix" + "me", "x" + "xx", "ha" + "ck", "not imple" + "mented", "not yet imple" + "mented", "unimple" + "mented",
    "place" + "holder", "for" + " now", "simpli" + "fied", "in a" + " real",
  ]

  /// Words that mark unfinished work, also inside of other words. The template of a `mktemp` is none, nor are the letters
  /// where `batch` meets `Acknowledged`.
  static func unfinishedWork(_ file: SourceFile) -> [Finding] {
    file.findings(in: file.lines) { line in
      // `_placeholder` is a name of the API.
      let text = line.lowercased().replacing("acknowledg", with: " ").replacing("_place" + "holder", with: " ")
      return unfinishedWords.first { text.contains($0) && !text.contains("mktemp") }.map { "'\($0)' marks unfinished work" }
    }
  }

  /// Paths of one machine.
  static func machinePaths(_ file: SourceFile) -> [Finding] {
    let homes = ["/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/", "/wo" + "rk/"]
    return file.findings(in: file.lines) { line in
      homes.first(where: line.contains).map { "'\($0)' is a path of one machine" }
    }
  }

  /// Conditions on a platform stand in files named for one. `#if !hasFeature(Embedded)` is none.
  static func platformConditions(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, !file.isNamedForPlatform else { return [] }
    let platforms: Set<Substring> = ["Darwin", "Glibc", "Musl", "CryptoKit"]
    return file.findings(in: file.codeLines) { line in
      guard line.trimmed.hasPrefix("#if") || line.trimmed.hasPrefix("#elseif") else { return nil }
      let words = line.words
      let asks = words.contains("os") || words.contains("canImport") && !platforms.isDisjoint(with: words)
      return asks ? "a platform's code belongs in a file named +Linux.swift or +Darwin.swift" : nil
    }
  }

  static let topLevelDirectories: Set<Substring> = ["Sources", "Tests", "Benchmarks", "Examples"]

  /// What lies at the root of the package.
  static func topLevel(_ path: String) -> [Finding] {
    let components = path.split(separator: "/")
    guard let top = components.first, !top.hasPrefix(".") else { return [] }
    let isAllowed =
      components.count > 1
      ? topLevelDirectories.contains(top)
      : ["Package.swift", "LICENSE"].contains(top) || top.hasSuffix(".md")
    return isAllowed ? [] : [Finding(path: path, line: 1, message: "'\(top)' is not among the names at the root")]
  }

  /// A catalogue of DocC has an article about its module, named like it, that begins with the module's link.
  static func rootArticles(_ files: [SourceFile], paths: [String]) -> [Finding] {
    let catalogues = Set(
      paths.compactMap { path -> String? in
        let components = path.split(separator: "/")
        guard components.count > 3, components[0] == "Sources", components[2].hasSuffix(".docc") else { return nil }
        return components[..<3].joined(separator: "/")
      })
    return catalogues.sorted().compactMap { catalogue in
      let target = catalogue.split(separator: "/")[1]
      let article = "\(catalogue)/\(target).md"
      let heading = "# ``\(target)``"
      if files.contains(where: { $0.path == article && $0.lines.first?.trimmed == heading[...] }) { return nil }
      return Finding(path: article, line: 1, message: "the catalogue has no root article that begins with \(heading)")
    }
  }
}
