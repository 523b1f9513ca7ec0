import KeyedArchives
import SaveCodec

/// Which side is newer, as far as that has been found out.
struct NewestSides {
    struct Question: Hashable {
        let ours: ViewID
        let theirs: ViewID
        let field: [UInt16]
    }

    var byField: [Question: MergeSideName?] = [:]
    var byAddress: [JSONPointer: MergeSideName?] = [:]
}

extension ThreeWayMerge {
    /// The side that is newer; nil if that cannot be told.
    mutating func newestSide(
        _ versions: SlotVersions, _ age: MergeRule.Age, in container: MergeContainer?
    ) -> MergeSideName? {
        switch age {
        case .file: return options.dates.flatMap { Self.newer($0.ours, $0.theirs) }
        case .address(let address): return newestSide(at: address)
        case .field(let name):
            if let x = versions.ours, let y = versions.theirs, let side = newer(x, y, by: name) { return side }
            return newestAround(container, name)
        }
    }

    /// The side that is newer by what is at an address; nil if that cannot be told.
    mutating func newestSide(at address: JSONPointer) -> MergeSideName? {
        if let known = newest.byAddress[address] { return known }
        var side: MergeSideName?
        if case .found(let x, let mine) = ours.find(address), case .found(let y, let other) = theirs.find(address) {
            side = Self.newer(mine.scalar(x), other.scalar(y))
        }
        newest.byAddress[address] = .some(side)
        return side
    }

    /// Which side is newer by a field of what is around a slot, the nearest that has one on both sides.
    private mutating func newestAround(_ container: MergeContainer?, _ name: [UInt16]) -> MergeSideName? {
        var container = container
        for _ in 0..<Difference.usualSteps {
            guard let current = container else { return nil }
            if let pairing = pairing(of: current), let side = newer(pairing.ours, pairing.theirs, by: name) {
                return side
            }
            container = around(current)
        }
        return nil
    }

    private mutating func newer(_ x: ViewID, _ y: ViewID, by name: [UInt16]) -> MergeSideName? {
        let question = NewestSides.Question(ours: x, theirs: y, field: name)
        if let known = newest.byField[question] { return known }
        var side: MergeSideName?
        if let a = field(name, of: x, in: ours), let b = field(name, of: y, in: theirs) {
            side = Self.newer(ours.scalar(a), theirs.scalar(b))
        }
        newest.byField[question] = .some(side)
        return side
    }

    private func field(_ name: [UInt16], of id: ViewID, in view: ObjectView) -> ViewID? {
        let value = view[id]
        guard let position = view.position(of: AddressToken(name), in: id), value.form.isKeyed else { return nil }
        return view.item(position, of: value.contents).id
    }

    private static func newer(_ x: Node?, _ y: Node?) -> MergeSideName? {
        guard let a = x, let b = y else { return nil }
        if case .string(let first) = a, case .string(let second) = b {
            guard let first = date(first), let second = date(second) else { return nil }
            return newer(first, second)
        }
        guard let order = a.order(comparedTo: b), order != 0 else { return nil }
        return order > 0 ? .ours : .theirs
    }

    private static func newer(_ x: Double, _ y: Double) -> MergeSideName? {
        x > y ? .ours : y > x ? .theirs : nil
    }

    /// The date that a string is, as JSON saves have them.
    private static func date(_ text: StoredString) -> Double? {
        text.count <= 64 ? ScalarText.seconds(ofDate: text) : nil
    }
}
