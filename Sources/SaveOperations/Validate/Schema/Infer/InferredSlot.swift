/// What is known of the values that stand in one place of the samples.
struct InferredSlot {
    /// The members of one name.
    struct Member {
        /// The slot of their values; nil if they are not described.
        let slot: Int?
        /// How many objects have one.
        var count = 0
        /// The object that had one last.
        var last = 0
    }

    let depth: Int
    /// Whether the values are the objects of one class.
    let isClass: Bool
    /// Whether not all values have been looked at, so that they may be anything.
    var isOpen = false
    var types: JSONTypes = []
    var viewTypes: ViewTypes = []
    /// The classes of the objects.
    var classes: Set<[UInt16]> = []
    /// The slot of the elements.
    var items: Int?
    /// How many objects and dictionaries there are.
    var objectCount = 0
    var members: [[UInt16]: Member] = [:]
    /// Whether there are so many names that they are keys rather than names.
    var isMap = false

    init(depth: Int, isClass: Bool = false) {
        self.depth = depth
        self.isClass = isClass
    }

    /// Whether no value has been seen.
    var isEmpty: Bool { !isOpen && types.isEmpty && classes.isEmpty }

    /// The names that every object has a member of, sorted.
    var required: [[UInt16]] {
        isMap ? [] : names.filter { members[$0]?.count == objectCount }
    }

    /// The names of members, sorted by code units.
    var names: [[UInt16]] { members.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    /// Notes what a value is.
    mutating func note(_ value: InstanceValue, _ viewType: ViewTypes) {
        viewTypes.formUnion(viewType)
        switch value {
        case .null: types.insert(.null)
        case .boolean: types.insert(.boolean)
        case .number(.integer): types.insert(.integer)
        case .number: types.insert(.number)
        case .string: types.insert(.string)
        case .array: types.insert(.array)
        case .object: types.insert(.object)
        }
    }

    /// Counts a member of the object at hand; one that has several of a name counts once.
    ///
    /// Returns the slot of its value.
    mutating func count(_ name: [UInt16]) -> Int? {
        guard var member = members[name] else { return nil }
        if member.last < objectCount { member.count += 1 }
        member.last = objectCount
        members[name] = member
        return member.slot
    }
}
