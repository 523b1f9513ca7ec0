/// The dynamic scopes in which schemas are evaluated, each as what its references by name lead to.
///
/// All that a scope decides is which schema a `$dynamicRef` means: for each name, that of the outermost resource on the
/// way which defines it. Scopes that agree in this are one, and have a number. Without dynamic references there is one.
struct DynamicScopes: Sendable {
    /// The schemas by resource and name.
    private let bindings: [[Int?]]
    /// Whether there are no references by name.
    private let isStatic: Bool
    private var scopes: [[Int?]]
    private var numbers: [[Int?]: Int]
    private var steps: [Step: Int] = [:]

    /// How many names all scopes may bind together. What scopes there are is up to the schema: with n resources that
    /// each define a name of their own, 2^n.
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

    /// Whether there are more scopes than can be told apart.
    var areTooMany: Bool { scopes.count * scopes[0].count > Self.limit }

    /// The scope within `scope` in a resource.
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

    /// The schema that a name means in a scope.
    func schema(_ name: Int, in scope: Int) -> Int? {
        scopes[scope][name]
    }
}
