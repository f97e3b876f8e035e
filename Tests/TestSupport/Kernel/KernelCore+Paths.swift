import CSystem

extension KernelCore {
  /// The parts of an absolute path; a path that ends in a separator or in "/." means a directory.
  func parts(_ path: String) -> (parts: [String], wantsDirectory: Bool) {
    var result: [String] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = result.popLast() } else { result.append(String(part)) }
    }
    return (result, path.hasSuffix("/") || path.hasSuffix("/.") || path == ".")
  }

  func find(_ path: String, _ inode: inout Inode?) -> Int {
    let (parts, wantsDirectory) = parts(path)
    var current = root
    for part in parts {
      guard current.isDirectory else { return -Int(ENOTDIR) }
      guard let next = current.entries[part] else { return -Int(ENOENT) }
      current = next
    }
    if wantsDirectory && !current.isDirectory { return -Int(ENOTDIR) }
    inode = current
    return 0
  }

  /// The directory that holds the last part of the path, and that part.
  func findParent(_ path: String, _ parent: inout Inode?, _ name: inout String) -> Int {
    let (parts, _) = parts(path)
    guard let last = parts.last else { return -Int(EEXIST) }
    name = last
    let code = find("/" + parts.dropLast().joined(separator: "/"), &parent)
    if code == 0 && parent?.isDirectory != true { return -Int(ENOTDIR) }
    return code
  }

  func make(_ name: String, in directory: Inode, isDirectory: Bool, mode: UInt32) -> Inode {
    let inode = Inode(number: nextInode, isDirectory: isDirectory, mode: mode)
    nextInode += 1
    inode.linkCount = 1
    inodes[inode.number] = inode
    directory.entries[name] = inode
    record(.create(directory: directory.number, name: name, inode: inode.number, isDirectory: isDirectory, mode: mode))
    return inode
  }

  func link(_ path: String, to newPath: String) -> Int {
    if faults.isReadOnly { return -Int(EROFS) }
    var (source, parent, name): (Inode?, Inode?, String) = (nil, nil, "")
    let found = find(path, &source)
    guard let source else { return found }
    if source.isDirectory { return -Int(EPERM) }
    let foundParent = findParent(newPath, &parent, &name)
    guard foundParent == 0, let parent else { return foundParent }
    if parent.entries[name] != nil { return -Int(EEXIST) }
    parent.entries[name] = source
    source.linkCount += 1
    record(.link(directory: parent.number, name: name, inode: source.number))
    return 0
  }

  /// Within a directory, one operation. From one to another, two that a power cut may part: a new name, then the old one's end.
  func rename(_ path: String, to newPath: String) -> Int {
    if faults.isReadOnly { return -Int(EROFS) }
    var (oldParent, oldName): (Inode?, String) = (nil, "")
    var (newParent, newName): (Inode?, String) = (nil, "")
    let foundOld = findParent(path, &oldParent, &oldName)
    guard foundOld == 0, let oldParent else { return foundOld }
    let foundNew = findParent(newPath, &newParent, &newName)
    guard foundNew == 0, let newParent else { return foundNew }
    guard let moved = oldParent.entries[oldName] else { return -Int(ENOENT) }
    if moved.isDirectory, isInside(newParent, moved) { return -Int(EINVAL) }
    if let replaced = newParent.entries[newName] {
      // Two names of one file stay both.
      if replaced === moved { return 0 }
      if replaced.isDirectory != moved.isDirectory { return replaced.isDirectory ? -Int(EISDIR) : -Int(ENOTDIR) }
      if !replaced.entries.isEmpty { return -Int(ENOTEMPTY) }
      replaced.linkCount -= 1
      forgetIfUnused(replaced)
    }
    oldParent.entries[oldName] = nil
    newParent.entries[newName] = moved
    if oldParent === newParent {
      record(.rename(directory: oldParent.number, name: oldName, newName: newName, inode: moved.number))
    } else {
      record(.link(directory: newParent.number, name: newName, inode: moved.number))
      record(.unlink(directory: oldParent.number, name: oldName))
    }
    return 0
  }

  private func isInside(_ inode: Inode, _ directory: Inode) -> Bool {
    inode === directory || directory.entries.values.contains { $0.isDirectory && isInside(inode, $0) }
  }

  func unlink(_ path: String) -> Int {
    if faults.isReadOnly { return -Int(EROFS) }
    var (parent, name): (Inode?, String) = (nil, "")
    let foundParent = findParent(path, &parent, &name)
    guard foundParent == 0, let parent else { return foundParent }
    guard let inode = parent.entries[name] else { return -Int(ENOENT) }
    if inode.isDirectory { return -Int(EISDIR) }
    parent.entries[name] = nil
    inode.linkCount -= 1
    record(.unlink(directory: parent.number, name: name))
    forgetIfUnused(inode)
    return 0
  }

  func makeDirectory(_ path: String, mode: UInt32) -> Int {
    var (parent, name): (Inode?, String) = (nil, "")
    let foundParent = findParent(path, &parent, &name)
    guard foundParent == 0, let parent else { return foundParent }
    if parent.entries[name] != nil { return -Int(EEXIST) }
    if faults.isReadOnly { return -Int(EROFS) }
    _ = make(name, in: parent, isDirectory: true, mode: mode)
    return 0
  }

  func changeMode(_ path: String, mode: UInt32) -> Int {
    var inode: Inode?
    let found = find(path, &inode)
    guard let inode else { return found }
    if faults.isReadOnly { return -Int(EROFS) }
    inode.mode = mode & 0o7777
    record(.mode(inode: inode.number, mode: inode.mode))
    return 0
  }
}
