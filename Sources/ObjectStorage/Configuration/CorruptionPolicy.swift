/// What opening does with a file that can't be a store of this build, or is damaged. Never asked about a wrong or missing key,
/// a permission, a full disk, a busy lock or the schema.
///
/// What it did is in the `OpenReport`: `reset`, `quarantinedFile`, `salvage`.
public enum CorruptionPolicy: Sendable {
  /// Opening throws; the file isn't touched.
  case rethrow
  /// Deletes the file and its sidecars and starts anew. Everything in it is lost.
  case deleteAndRecreate
  /// Moves the file aside, under a name that `OpenReport.quarantinedFile` gives, and starts anew.
  case quarantine
  /// Copies what is readable into a new file; the damaged one is kept as with `.quarantine`. Not in this version: opening throws what is wrong,
  /// as with `.rethrow`, and the file isn't touched.
  /// Of a store that can be opened, `ObjectStore.salvage(to:)` saves what is readable.
  case salvage
  /// Asks the app; called on the thread that opens, and mustn't call the store.
  case custom(@Sendable (StorageError) -> Response)

  /// What a `.custom` policy answers; each means what the policy of that name does.
  public enum Response: Sendable {
    /// Opening throws; the file isn't touched.
    case rethrow
    /// Everything in the file is lost.
    case deleteAndRecreate
    /// The file is moved aside.
    case quarantine
    /// What is readable is saved. In this version, what `.rethrow` means.
    case salvage
  }

  /// Whether opening again can't help: `notAStore` or `corrupted`.
  public static func isUnrecoverable(_ error: StorageError) -> Bool {
    switch error {
    case .notAStore, .corrupted: true
    default: false
    }
  }

  /// What to do about `error`; `.rethrow` for all that a policy is never asked about.
  package func response(to error: StorageError) -> Response {
    guard Self.isUnrecoverable(error) else { return .rethrow }
    switch self {
    case .rethrow: return .rethrow
    case .deleteAndRecreate: return .deleteAndRecreate
    case .quarantine: return .quarantine
    case .salvage: return .salvage
    case .custom(let body): return body(error)
    }
  }
}
