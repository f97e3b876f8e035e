/// Schema changes as steps; those that apply run in the order of their versions.
public struct SchemaMigrator: Sendable {
  let steps: [SchemaMigrationStep]

  /// From steps in any order.
  public init(steps: [SchemaMigrationStep]) { self.steps = steps.sorted { $0.toVersion < $1.toVersion } }
  /// From steps, one a line.
  public init(@SchemaMigrationBuilder _ build: () -> [SchemaMigrationStep]) { self.init(steps: build()) }

  /// For `StorageConfiguration.migrate`.
  public var migrationBlock: @Sendable (inout Migration, UInt64) throws -> Void {
    { migration, version in
      for step in steps(upgradingFrom: version) { try step.body(&migration) }
    }
  }
  /// The steps that a file of this version needs, in their order.
  public func steps(upgradingFrom oldSchemaVersion: UInt64) -> [SchemaMigrationStep] {
    steps.filter { oldSchemaVersion < $0.toVersion }
  }
}

/// What leads to one version of a schema.
public struct SchemaMigrationStep: Sendable {
  /// The version that the step leads to.
  public let toVersion: UInt64
  let body: @Sendable (inout Migration) throws -> Void
  /// - Parameters:
  ///   - toVersion: the version that the step leads to.
  ///   - body: the step; what it throws is `StorageError.migrationFailed`, and the file is as before.
  public init(toVersion: UInt64, _ body: @escaping @Sendable (inout Migration) throws -> Void) {
    self.toVersion = toVersion
    self.body = body
  }
}

/// Collects the steps of a `SchemaMigrator`.
@resultBuilder
public enum SchemaMigrationBuilder {
  /// One step.
  public static func buildExpression(_ step: SchemaMigrationStep) -> [SchemaMigrationStep] { [step] }
  /// Steps, one after another.
  public static func buildBlock(_ steps: [SchemaMigrationStep]...) -> [SchemaMigrationStep] { steps.flatMap { $0 } }
  /// Steps of a loop.
  public static func buildArray(_ steps: [[SchemaMigrationStep]]) -> [SchemaMigrationStep] { steps.flatMap { $0 } }
  /// Steps of an `if`.
  public static func buildOptional(_ steps: [SchemaMigrationStep]?) -> [SchemaMigrationStep] { steps ?? [] }
  /// Steps of an `if`.
  public static func buildEither(first steps: [SchemaMigrationStep]) -> [SchemaMigrationStep] { steps }
  /// Steps of an `else`.
  public static func buildEither(second steps: [SchemaMigrationStep]) -> [SchemaMigrationStep] { steps }
}
