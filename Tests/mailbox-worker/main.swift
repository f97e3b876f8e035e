import MailboxLog
import StorageIO
let dir = CommandLine.arguments[1]
let n = Int(CommandLine.arguments[2])!
var options = LogOptions(key: try EncryptionKey([UInt8](repeating: 7, count: 32)))
options.durability = .processCrash
options.logHandler = { print($0.kind, $0.message) }
let t0 = SystemCalls.live.monotonicNanoseconds()
let w = try MailboxWriter(directory: dir, options: options)
for i in 0..<n { try w.append(id: "m\(i)") { $0.set("text", "hello \(i)"); $0.set("n", i) } }
let t1 = SystemCalls.live.monotonicNanoseconds()
print("append ns each", (t1 - t0) / UInt64(n))
print(try w.pendingCount, try w.backlog(), try w.contains(id: "m\(n-1)"), try w.contains(id: "nope"))
let r = try MailboxReader(directory: dir, options: options)
print(try r.pendingCount)
var seen = 0
let t2 = SystemCalls.live.monotonicNanoseconds()
while true {
  var p: [MailboxPosition] = []
  let got = try r.forEachPending(limit: 2000) { e in p.append(e.position); seen += 1; _ = try e.string("text") }
  if got == 0 { break }
  try r.acknowledge(p)
}
let t3 = SystemCalls.live.monotonicNanoseconds()
print("seen", seen, "ns each", (t3 - t2) / UInt64(max(1,seen)), try r.pendingCount, try r.damage().count, try w.pendingCount)
