/// The dynamic scopes in which schemas are evaluated.
///
/// A scope only determines the schema that each `$dynamicRef` refers to. For each anchor name, this is the schema in
/// the outermost of the entered resources that define the name. Scopes with the same schemas share one number. Without
/// dynamic references, there is only one scope.
struct DynamicScopes: Sendable {
    /// The schemas by resource and name.
    private let bindings: [[Int?]]
    /// Whether there are no dynamic references.
    private let isStatic: Bool
    private var scopes: [[Int?]]
    private var numbers: [[Int?]: Int]
    private var steps: [Step: Int] = [:]

    /// The maximum number of scopes times the number of names. A schema can make many scopes: n resources that each
    /// define a different name have 2^n.
    static let limit = 4_000_000

    private struct Step: Hashable {
        let scope: Int
        let resource: Int
    }

    init(names: [String], bindings: [[Int?]]) {
        self.bindings = bindings
        isStatic = names.isEmpty
        let empty = [Int?](repeating: nil, count: names.count)
        scopes = [empty]
        numbers = [empty: 0]
    }

    /// Whether the scopes exceed the limit.
    var areTooMany: Bool { scopes.count * scopes[0].count > Self.limit }

    /// Returns the scope after entering a resource from `scope`.
    @inline(__always)
    mutating func entering(_ resource: Int, from scope: Int) -> Int {
        isStatic ? scope : step(into: resource, from: scope)
    }

    private mutating func step(into resource: Int, from scope: Int) -> Int {
        let step = Step(scope: scope, resource: resource)
        if let known = steps[step] { return known }
        let scope = zip(scopes[scope], bindings[resource]).map { outer, own in outer ?? own }
        let number = numbers[scope] ?? scopes.count
        if number == scopes.count {
            scopes.append(scope)
            numbers[scope] = number
        }
        steps[step] = number
        return number
    }

    /// Returns the schema that a name refers to in a scope; nil if no entered resource defines the name.
    func schema(_ name: Int, in scope: Int) -> Int? {
        scopes[scope][name]
    }
}
