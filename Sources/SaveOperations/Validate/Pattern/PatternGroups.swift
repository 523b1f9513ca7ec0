/// The groups that capture, their names, and who refers to them.
struct PatternGroups {
    /// How many have been opened.
    var count = 0

    private var names: [[UInt32]: Int] = [:]
    private var references: [(target: Target, position: Int)] = []

    /// How many references there are so far.
    var referenceCount: Int { references.count }

    private enum Target {
        case number(Int)
        case name([UInt32])
    }

    /// Names the group that is opened next.
    mutating func name(_ name: [UInt32], at position: Int) throws(PatternFault) {
        guard names.updateValue(count + 1, forKey: name) == nil else { throw .repeatedName(at: position) }
    }

    /// Notes a reference and numbers it.
    mutating func refer(to number: Int, at position: Int) -> Int {
        references.append((.number(number), position))
        return references.count - 1
    }

    /// Notes a reference and numbers it.
    mutating func refer(to name: [UInt32], at position: Int) -> Int {
        references.append((.name(name), position))
        return references.count - 1
    }

    /// The group of each reference. Groups may come after what refers to them, so this is known at the end only.
    func resolved() throws(PatternFault) -> [Int] {
        var groups: [Int] = []
        for (target, position) in references {
            switch target {
            case .number(let number):
                guard number <= count else { throw .missingGroup(number: number, count: count, at: position) }
                groups.append(number)
            case .name(let name):
                guard let number = names[name] else { throw .missingGroupNamed(at: position) }
                groups.append(number)
            }
        }
        return groups
    }
}
