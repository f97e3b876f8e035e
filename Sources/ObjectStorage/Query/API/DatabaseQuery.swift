/// What is asked for, in which order, and how much of it. An immutable value: building on a query gives a new one.
///
/// A limit holds everywhere the query is used: reading, counting, updating, deleting, observing. Steps are applied as written: a
/// condition behind a limit chooses among the objects within it. What is wrong with a query is thrown where it is used, before
/// anything is read.
public struct DatabaseQuery<Element: StorageObject>: Sendable {
  /// The object asked for, inside a closure.
  public typealias Root = Query<Element>
  /// What a closure returns.
  public typealias Condition = Query<Bool>
  /// For a filter that is kept or passed to an actor.
  public typealias Filter = @Sendable (Root) -> Condition

  package let form: QueryForm

  package init(form: QueryForm) { self.form = form }

  /// All objects.
  public init() { form = QueryForm() }
  /// The closure is called once, here, to build the condition: it may capture anything.
  public init(_ filter: (Root) -> Condition) { form = QueryForm().appending(.filter(QueryScope.query(filter))) }

  /// Adds a condition; a second one is ANDed. The closure is called once, here.
  public func `where`(_ filter: (Root) -> Condition) -> Self { appending(.filter(QueryScope.query(filter))) }

  /// Stable: ties in key order, nil first, NaN last. A second one breaks the ties of the first.
  public func sorted<V: StorageComparable>(by property: any KeyPath<Element, V> & Sendable, ascending: Bool = true) -> Self {
    sorted(by: [Sort(property, ascending: ascending)])
  }
  /// By several criteria, each breaking the ties of those before it.
  public func sorted(by sorts: [Sort<Element>]) -> Self {
    appending(.sort(sorts.map { QuerySort($0.expression, ascending: $0.ascending) }))
  }
  /// For what a key path can't reach: `sorted(ascending: false) { $0.address.street }`.
  public func sorted<V: StorageComparable>(ascending: Bool = true, _ expression: (Root) -> Query<V>) -> Self {
    appending(.sort([QuerySort(QueryScope.query(expression), ascending: ascending)]))
  }

  /// The first of each group of equals, as sorted so far. Applied in written order, as are limit and offset.
  public func distinct<V: PersistableValue>(by property: any KeyPath<Element, V> & Sendable) -> Self {
    appending(.distinct(.property(property, of: .element(scope: 0))))
  }
  /// At most so many. A negative count is 0.
  public func limited(to count: Int) -> Self { appending(.limit(max(count, 0))) }
  /// Leaves out so many at the beginning. A negative count is 0.
  public func offset(by count: Int) -> Self { appending(.offset(max(count, 0))) }
  /// Goes on behind a place in the results of the same query, whatever has changed since. A limit directly before it counts from
  /// the place on; an offset directly before it is behind already.
  public func after(_ cursor: StorageCursor) -> Self { appending(.after(cursor)) }

  private func appending(_ step: QueryStep) -> Self { Self(form: form.appending(step)) }
}

extension DatabaseQuery: CustomStringConvertible {
  /// Parses the grammar that `description` prints, which is kvtool's: `age >= 18 && name.contains("x") | sort -age, id | limit 20`.
  ///
  /// Names are looked up where the query is used.
  /// - Throws: ``QueryError/syntax(text:offset:expected:)``.
  public init(text: String) throws(QueryError) { form = try QueryParser.form(text) }

  /// The query in its grammar; empty when all objects are asked for.
  public var description: String { QueryPrinter.text(form) }
}
