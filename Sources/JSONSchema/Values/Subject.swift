import KeyedArchives

/// What a schema is applied to: a value of the value graph, or a name.
///
///     {"$dict": [[5, true]]}    Subject(value)       true
///                               Subject(name: key)   "5", the name of a key that is the number 5
///
/// The name of a class, which `$class` has, is a name too: that of the class's record. Names are strings, whatever the key
/// is, and are stored neither in place nor as objects.
struct Subject: Hashable, Sendable {
    /// The value, the key or the record of a class.
    let id: ViewID
    /// Whether the subject is the name and not the value.
    let isName: Bool

    init(_ id: ViewID) {
        self.id = id
        isName = false
    }

    init(name id: ViewID) {
        self.id = id
        isName = true
    }

    /// A number from zero, for tables; below ``numberLimit(of:)``.
    var number: Int { 2 &* id.index &+ (isName ? 1 : 0) }

    static func numberLimit(of view: ObjectView) -> Int { 2 * view.count }
}
