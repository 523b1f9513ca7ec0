import KeyedArchives
import SaveCodec

/// One of the two values that are compared: its view, the graph of that, and the numbers of its classes.
struct ComparedSide: Sendable {
    let view: ObjectView
    let graph: ObjectGraph
    let classes: ClassNumbers

    /// The two sides of a comparison.
    static func both(_ before: ObjectView, _ after: ObjectView, by run: ParallelRunner? = nil) -> Sides<ComparedSide> {
        // Views keep their graphs.
        _ = Sides(by: run) { ($0 == .before ? before : after).graph }
        let isMixed = (before.archive != nil) != (after.archive != nil)
        var known: [[UInt16]: Int32] = [:]
        return Sides { side in
            let view = side == .before ? before : after
            let classes = ClassNumbers(of: view, &known, readsMembers: isMixed && view.archive == nil)
            return ComparedSide(view: view, graph: view.graph, classes: classes)
        }
    }
}

/// The classes of the containers and scalars of a view, as numbers: a name has the same one on both sides of a comparison.
///
/// Where a property list is compared with an archive, a dictionary stands for an object: its member `$class` tells the
/// class and is no slot like the others.
final class ClassNumbers: Sendable {
    private let archive: KeyedArchive?
    /// By position in ``KeyedArchive/classes``.
    private let numbers: [Int32]
    /// The members `$class` of dictionaries, by number of the container.
    private let members: [Int: Member]

    private struct Member {
        let slot: Int
        let number: Int32
    }

    /// - Parameters:
    ///   - known: the numbers that names have so far.
    ///   - readsMembers: whether dictionaries are compared with objects.
    fileprivate init(of view: ObjectView, _ known: inout [[UInt16]: Int32], readsMembers: Bool) {
        archive = view.archive
        numbers = (archive?.classes ?? []).map { Self.number(of: $0.name, in: &known) }
        members = readsMembers ? Self.members(of: view, &known) : [:]
    }

    private static func number(of name: StoredString, in known: inout [[UInt16]: Int32]) -> Int32 {
        let units = name.units
        if let number = known[units] { return number }
        // Names stand in distinct objects, of which there are fewer than 2^31.
        let number = Int32(truncatingIfNeeded: known.count)
        known[units] = number
        return number
    }

    private static func members(of view: ObjectView, _ known: inout [[UInt16]: Int32]) -> [Int: Member] {
        var members: [Int: Member] = [:]
        var numbers: [ViewID: Int32] = [:]
        let graph = view.graph
        for container in graph.containers where container.kind == .dictionary {
            let slot = (0..<container.count).first { position in
                let key = view.document.object(view.stored(graph.key(position, of: container)))
                return view.document.text(key, equals: "$class")
            }
            guard let slot, case let value = graph.value(slot, of: container), let name = view.text(value) else {
                continue
            }
            let number = numbers[value] ?? number(of: name, in: &known)
            numbers[value] = number
            members[container.number] = Member(slot: slot, number: number)
        }
        return members
    }

    /// The number of a container's class; negative for none.
    func number(of container: ObjectGraph.Container) -> Int32 {
        if !members.isEmpty, let member = members[container.number] { return member.number }
        return container.classPosition.map { numbers[$0] } ?? -1
    }

    /// The number of a scalar's class; negative for none.
    ///
    /// - Parameter uid: the object of the archive that the scalar is; nil for one that is stored in place.
    func number(ofScalar uid: UID?) -> Int32 {
        guard let uid, let position = archive?.classPosition(of: uid) else { return -1 }
        return numbers[position]
    }

    /// The slot that tells the class of a container; negative for none.
    func slot(of container: ObjectGraph.Container) -> Int {
        members.isEmpty ? -1 : members[container.number]?.slot ?? -1
    }
}
