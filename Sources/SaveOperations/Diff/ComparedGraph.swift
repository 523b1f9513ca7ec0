import KeyedArchives
import SaveCodec

/// The graph of one side of a comparison, with numbers for the names of classes that both sides share.
///
/// Where a property list is compared with an archive, a dictionary stands for an object: its member `$class` tells the
/// class and is no slot like the others.
final class ComparedGraph: Sendable {
    let view: ObjectView
    let document: Document
    /// Whether the view is of an archive.
    let isArchive: Bool
    private let graph: ObjectGraph
    let containers: [ObjectGraph.Container]
    let referenceCounts: [UInt32]
    /// The numbers of the archive's classes.
    private let classNumbers: [Int32]
    /// The member `$class` of dictionaries that have one and are compared with objects, by number of the container.
    private let classMembers: [Int: ClassMember]

    private struct ClassMember {
        let slot: Int
        let number: Int32
    }

    /// The two sides of a comparison.
    static func sides(
        _ before: ObjectView, _ after: ObjectView, by run: ParallelRunner? = nil
    ) -> Sides<ComparedGraph> {
        // Views keep their graphs.
        _ = Sides(by: run) { ($0 == .before ? before : after).graph }
        let isMixed = (before.archive != nil) != (after.archive != nil)
        var names = ClassNumbers()
        return Sides { side in
            let view = side == .before ? before : after
            return ComparedGraph(view, &names, readsClassMembers: isMixed && view.archive == nil)
        }
    }

    private init(_ view: ObjectView, _ names: inout ClassNumbers, readsClassMembers: Bool) {
        self.view = view
        document = view.document
        isArchive = view.archive != nil
        graph = view.graph
        containers = graph.containers
        referenceCounts = graph.referenceCounts
        classNumbers = (view.archive?.classes ?? []).map { names.number(of: $0.name) }
        classMembers = readsClassMembers ? Self.classMembers(of: view, &names) : [:]
    }

    private static func classMembers(of view: ObjectView, _ names: inout ClassNumbers) -> [Int: ClassMember] {
        var members: [Int: ClassMember] = [:]
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
            let number = numbers[value] ?? names.number(of: name)
            numbers[value] = number
            members[container.number] = ClassMember(slot: slot, number: number)
        }
        return members
    }

    var hasContainerKeys: Bool { graph.hasContainerKeys }

    /// How many slots the containers have.
    var slotCount: Int { containers.reduce(0) { $0 + $1.count } }

    /// The number of a container; nil for a scalar.
    func number(of id: ViewID) -> Int? { graph.number(of: id) }

    /// What a container is; nil for a scalar.
    func kind(of id: ViewID) -> ContainerKind? { number(of: id).map { containers[$0].kind } }

    func key(_ position: Int, of container: ObjectGraph.Container) -> ViewID { graph.key(position, of: container) }

    func value(_ position: Int, of container: ObjectGraph.Container) -> ViewID { graph.value(position, of: container) }

    /// The stored scalar that a value is; nil for containers.
    func scalarObject(_ id: ViewID) -> StoredObject? { view.scalarObject(id) }

    /// Whether a value is an object of an archive.
    func isReferred(_ id: ViewID) -> Bool { isArchive && id.index >= document.count }

    /// How an archive has a container.
    enum Storage {
        /// In the container around it.
        case inPlace
        /// As an object of a class.
        case object
        /// In `$objects`, but without a class.
        case raw
    }

    func storage(of container: ObjectGraph.Container) -> Storage {
        guard isReferred(container.id) else { return .inPlace }
        return container.classPosition == nil ? .raw : .object
    }

    // MARK: Classes

    /// The number of the name of a container's class; negative for none.
    func classNumber(of container: ObjectGraph.Container) -> Int32 {
        if !classMembers.isEmpty, let member = classMembers[container.number] { return member.number }
        return container.classPosition.map { classNumbers[$0] } ?? -1
    }

    /// The slot that tells the class of a container; negative for none.
    func classSlot(of container: ObjectGraph.Container) -> Int {
        classMembers.isEmpty ? -1 : classMembers[container.number]?.slot ?? -1
    }

    /// The number of a scalar's class; negative for none.
    func classNumber(ofScalar id: ViewID) -> Int32 {
        guard isReferred(id), let uid = view.uid(id), let position = view.archive?.classPosition(of: uid) else {
            return -1
        }
        return classNumbers[position]
    }
}

/// Numbers for class names, the same for the same name in both views.
private struct ClassNumbers {
    private var numbers: [[UInt16]: Int32] = [:]

    mutating func number(of name: StoredString) -> Int32 {
        let units = Array(name)
        if let number = numbers[units] { return number }
        // Names stand in distinct objects, of which there are fewer than 2^31.
        let number = Int32(truncatingIfNeeded: numbers.count)
        numbers[units] = number
        return number
    }
}
