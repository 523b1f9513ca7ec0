import KeyedArchives
import SaveCodec

/// One side of a comparison: a view, its graph, and the numbers of its classes.
struct ComparedSide: Sendable {
    let view: ObjectView
    let graph: ContainerGraph
    let classes: ClassNumbers

    static func both(_ before: ObjectView, _ after: ObjectView, by run: ParallelRunner? = nil) -> Sides<ComparedSide> {
        // This builds the graphs in parallel. Each view caches its graph.
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

/// Numbers for the classes of the containers and scalars of a view. A class name has the same number on both sides of a
/// comparison.
///
/// If a property list is compared with an archive, its dictionaries are compared with objects. The member `$class` then
/// counts as the class name and not as a slot.
final class ClassNumbers: Sendable {
    private let archive: KeyedArchive?
    /// The numbers of the classes, by position in ``KeyedArchive/classes``.
    private let numbers: [Int32]
    /// The `$class` members of dictionaries, by container number.
    private let members: [Int: Member]

    private struct Member {
        let slot: Int
        let number: Int32
    }

    /// - Parameters:
    ///   - known: The numbers assigned to names so far.
    ///   - readsMembers: Whether dictionaries are compared with objects.
    fileprivate init(of view: ObjectView, _ known: inout [[UInt16]: Int32], readsMembers: Bool) {
        archive = view.archive
        numbers = (archive?.classes ?? []).map { Self.number(of: $0.name, in: &known) }
        members = readsMembers ? Self.members(of: view, &known) : [:]
    }

    private static func number(of name: StoredString, in known: inout [[UInt16]: Int32]) -> Int32 {
        let units = name.units
        if let number = known[units] { return number }
        // This cannot overflow: each name is an object of its own, and there are fewer than 2^31 objects.
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

    /// Returns the number of a container's class; negative for no class.
    func number(of container: ContainerGraph.Container) -> Int32 {
        if !members.isEmpty, let member = members[container.number] { return member.number }
        return container.classPosition.map { numbers[$0] } ?? -1
    }

    /// Returns the number of a scalar's class; negative for no class.
    ///
    /// - Parameter uid: The archived object that is the scalar; nil for a scalar stored in place.
    func number(ofScalar uid: UID?) -> Int32 {
        guard let uid, let position = archive?.classPosition(of: uid) else { return -1 }
        return numbers[position]
    }

    /// Returns the slot in which a container holds its class name; negative for none.
    func slot(of container: ContainerGraph.Container) -> Int {
        members.isEmpty ? -1 : members[container.number]?.slot ?? -1
    }
}
