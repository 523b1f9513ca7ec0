import KeyedArchive
import SaveCodec
import SaveOperations

/// The addresses of changes as text. Changes follow each other in the order of the document, so that the address of a
/// container, which a hostile key can make long, is made once.
struct ChangeAddresses {
    private let difference: Difference
    /// How an address is written; that of the root is empty.
    private let write: (Address) -> [UInt8]
    private var before = Container()
    private var after = Container()
    /// The long keys that were written last, which many containers may share.
    private var keyBefore: (id: ViewID, step: [UInt8])?
    private var keyAfter: (id: ViewID, step: [UInt8])?

    /// From here on keys are long.
    private static let longKey = 64

    /// The address of a container, by the number of its place.
    private struct Container {
        var node = -1
        var address: [UInt8] = []
    }

    init(_ difference: Difference, _ write: @escaping (Address) -> [UInt8]) {
        self.difference = difference
        self.write = write
    }

    /// Addresses for the eye.
    static func shown(_ difference: Difference) -> ChangeAddresses {
        ChangeAddresses(difference) { $0 == .root ? [] : Array($0.description.utf8) }
    }

    /// Addresses as contents of a JSON string.
    static func json(_ difference: Difference) -> ChangeAddresses {
        ChangeAddresses(difference) { address in
            var output = ByteWriter()
            ScalarText.writeString(address.pointer, to: &output)
            return Array(output.takeBytes().dropFirst().dropLast())
        }
    }

    /// Where a change is before; nil for what was added.
    mutating func before(_ change: Change) -> [UInt8]? {
        change.before == nil ? nil : address(change, isAfter: false)
    }

    /// Where a change is after; nil for what was removed.
    mutating func after(_ change: Change) -> [UInt8]? {
        change.after == nil ? nil : address(change, isAfter: true)
    }

    private mutating func address(_ change: Change, isAfter: Bool) -> [UInt8] {
        guard let place = difference.place(of: change) else { return [] }
        let container = container(of: place, isAfter: isAfter)
        guard let position = isAfter ? place.positionAfter : place.positionBefore,
            difference.depth(of: change) <= Difference.usualSteps
        else { return container }
        return container + step(difference.items(of: place, isAfter: isAfter).key(position), position, isAfter: isAfter)
    }

    private mutating func step(_ key: ViewID?, _ position: Int, isAfter: Bool) -> [UInt8] {
        let view = isAfter ? difference.after : difference.before
        guard let key, let text = view.text(key), text.count > Self.longKey else {
            return write(view.step(Outline.PathStep(key: key, position: position)))
        }
        if let known = isAfter ? keyAfter : keyBefore, known.id == key { return known.step }
        let step = write(view.step(Outline.PathStep(key: key, position: position)))
        if isAfter { keyAfter = (key, step) } else { keyBefore = (key, step) }
        return step
    }

    private mutating func container(of place: ChangePlace, isAfter: Bool) -> [UInt8] {
        let known = isAfter ? after : before
        if known.node == place.node { return known.address }
        let address = write(
            isAfter
                ? difference.addressAfter(ofPair: place.node, steps: Difference.usualSteps)
                : difference.addressBefore(ofPair: place.node, steps: Difference.usualSteps))
        if isAfter {
            after = Container(node: place.node, address: address)
        } else {
            before = Container(node: place.node, address: address)
        }
        return address
    }
}

/// Where the objects of two archives are: the address at which each was compared.
struct ObjectPlaces {
    private let difference: Difference
    private let areArchives: Bool
    /// One more than the number of the pair of each container before, by identity.
    private var pairsBefore: [UInt32] = []

    init(_ difference: Difference) {
        self.difference = difference
        areArchives = difference.before.archive != nil && difference.after.archive != nil
        guard areArchives, difference.changes.contains(where: { $0.before != nil }) else { return }
        pairsBefore = [UInt32](repeating: 0, count: difference.before.count)
        for (number, pair) in difference.pairs.enumerated() {
            pairsBefore[pair.before.index] = UInt32(truncatingIfNeeded: number + 1)
        }
    }

    /// Where the object is that a change took away from a slot, if it is still elsewhere.
    func before(_ change: Change) -> Address? {
        guard let id = change.before, !isPair(change), id.index < pairsBefore.count, pairsBefore[id.index] > 0 else {
            return nil
        }
        return difference.addressBefore(ofPair: Int(pairsBefore[id.index]) - 1, steps: Difference.usualSteps)
    }

    /// Where the object is that a slot refers to after a change, if it was there before.
    func after(_ change: Change) -> Address? {
        guard areArchives, !isPair(change), let pair = change.after.flatMap(difference.partner) else { return nil }
        return difference.addressAfter(ofPair: pair, steps: Difference.usualSteps)
    }

    /// Whether the values of a change are one object.
    private func isPair(_ change: Change) -> Bool {
        guard let before = change.before, let pair = change.after.flatMap(difference.partner) else { return false }
        return difference.pairs[pair].before == before
    }
}
