import KeyedArchive
import SaveCodec

/// What a view contains, in flat arrays: its containers, numbered breadth first from the root, and their slots.
///
///     {"a": [7, 8], "b": {}}     container   form         slots       depth
///                                0 root      dictionary   a: 1, b: 2  0
///                                1 /a        array        7, 8        1
///                                2 /b        dictionary   -           1
///
/// A slot holds the identity of its key and of its value. Every container is looked into once. A class, so that what
/// compares values need not copy all that a view consists of.
final class ValueGraph: Sendable {
    /// What a container is.
    enum Form: UInt8 {
        case array, set, dictionary, object

        /// Whether contents have keys.
        var isKeyed: Bool { self == .dictionary || self == .object }
    }

    /// A container, by number.
    struct Container {
        /// Its identity.
        let id: ViewID
        /// What it is.
        let form: Form
        /// The number of its class's name; negative for none.
        var classNumber: Int32
        /// How far it is from the root.
        let depth: UInt32
        /// Where its slots start.
        let start: Int
        /// How many slots it has.
        let count: Int
        /// The slot that tells its class instead of being a field, of a plain dictionary that is compared with an object.
        var classSlot = -1
    }

    let view: ObjectView
    let document: Document
    /// The numbers of the archive's classes.
    let classNumbers: [Int32]
    let containers: [Container]
    /// How many slots refer to each container, by number.
    let referenceCounts: [UInt32]
    /// Whether keys are containers anywhere.
    let hasContainerKeys: Bool
    /// Whether the view is of an archive.
    let isArchive: Bool
    /// The keys and values of all slots, by identity. Elements have no keys.
    private let keys: [UInt32]
    private let values: [UInt32]
    /// One more than the number of each container, by identity; of scalars zero, or ``noContainer`` once looked at.
    private let numbers: [UInt32]

    static let noContainer = UInt32.max

    init(_ view: ObjectView, _ names: inout ClassNumbers, readsClassMembers: Bool) {
        var reader = ValueGraphReader(view, names.numbers(of: view), readsClassMembers: readsClassMembers)
        reader.run(&names)
        self.view = view
        document = view.document
        isArchive = view.archive != nil
        classNumbers = reader.classNumbers
        containers = reader.containers
        referenceCounts = reader.referenceCounts
        hasContainerKeys = reader.hasContainerKeys
        (keys, values, numbers) = (reader.keys, reader.values, reader.numbers)
    }

    private func id(_ index: UInt32) -> ViewID { ViewID(stored: ObjectID(Int(index))) }

    /// The number of a container; nil for a scalar.
    @inline(__always)
    func number(of id: ViewID) -> Int? {
        let number = numbers[id.index]
        return number == 0 || number == Self.noContainer ? nil : Int(number) - 1
    }

    /// What a container is; nil for a scalar.
    func form(of id: ViewID) -> Form? { number(of: id).map { containers[$0].form } }

    @inline(__always)
    func key(_ position: Int, of container: Container) -> ViewID { id(keys[container.start + position]) }

    @inline(__always)
    func value(_ position: Int, of container: Container) -> ViewID { id(values[container.start + position]) }

    /// The stored scalar that a value is; nil for containers.
    func scalarObject(_ id: ViewID) -> StoredObject? {
        guard id.index < document.count else { return view.scalarObject(id) }
        let object = document.object(ObjectID(id.index))
        return object.kind.isContainer ? nil : object
    }

    /// Whether a value is an object of an archive.
    @inline(__always)
    func isReferred(_ id: ViewID) -> Bool { isArchive && id.index >= document.count }

    /// The number of a scalar's class; negative for none.
    func classNumber(ofScalar id: ViewID) -> Int32 {
        guard isReferred(id), let uid = view.uid(id), let position = view.archive?.classPosition(of: uid) else {
            return -1
        }
        return classNumbers[position]
    }
}

extension ValueGraph.Form {
    init?(_ form: ViewValue.Form) {
        switch form {
        case .scalar: return nil
        case .array: self = .array
        case .set: self = .set
        case .dictionary: self = .dictionary
        case .object: self = .object
        }
    }
}
