import KeyedArchive
import SaveCodec

/// Goes through a view breadth first, and notes its containers and their slots.
struct ValueGraphReader {
    private let view: ObjectView
    private let document: Document
    private let isArchive: Bool
    private let readsClassMembers: Bool
    let classNumbers: [Int32]
    private(set) var containers: [ValueGraph.Container] = []
    private(set) var keys: [UInt32] = []
    private(set) var values: [UInt32] = []
    private(set) var numbers: [UInt32]
    private(set) var referenceCounts: [UInt32] = []
    private(set) var hasContainerKeys = false
    /// The numbers of class names that members `$class` tell, by identity.
    private var classMembers: [ViewID: Int32] = [:]

    init(_ view: ObjectView, _ classNumbers: [Int32], readsClassMembers: Bool) {
        self.view = view
        document = view.document
        isArchive = view.archive != nil
        self.classNumbers = classNumbers
        self.readsClassMembers = readsClassMembers
        numbers = [UInt32](repeating: 0, count: view.count)
    }

    mutating func run(_ names: inout ClassNumbers) {
        enter(view.root, depth: 0, &names)
        var next = 0
        while next < containers.count {
            let container = containers[next]
            for slot in container.start..<container.start + container.count {
                enter(id(values[slot]), depth: container.depth + 1, &names)
                if container.form.isKeyed { enterKey(id(keys[slot]), of: container, &names) }
            }
            next += 1
        }
    }

    private func id(_ index: UInt32) -> ViewID { ViewID(stored: ObjectID(Int(index))) }

    private mutating func enter(_ id: ViewID, depth: UInt32, _ names: inout ClassNumbers) {
        let known = numbers[id.index]
        if known == ValueGraph.noContainer { return }
        if known > 0 { return referenceCounts[Int(known) - 1] &+= 1 }
        numbers[id.index] = ValueGraph.noContainer
        let isPlain = !isArchive || id.index < document.count
        guard document.object(isPlain ? ObjectID(id.index) : view.stored(id)).kind.isContainer else { return }
        let value = view[id]
        guard let form = ValueGraph.Form(value.form) else { return }
        numbers[id.index] = UInt32(truncatingIfNeeded: containers.count + 1)
        let start = values.count
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            if form.isKeyed { keys.append(UInt32(truncatingIfNeeded: item.key?.index ?? 0)) } else { keys.append(0) }
            values.append(UInt32(truncatingIfNeeded: item.id.index))
        }
        var container = ValueGraph.Container(
            id: id, form: form, classNumber: value.classPosition.map { classNumbers[$0] } ?? -1, depth: depth,
            start: start, count: value.contents.count)
        if readsClassMembers, form == .dictionary { readClassMember(of: &container, &names) }
        containers.append(container)
        referenceCounts.append(1)
    }

    /// A key is hardly ever a container, in no property list and in few archives.
    private mutating func enterKey(
        _ key: ViewID, of container: ValueGraph.Container, _ names: inout ClassNumbers
    ) {
        guard numbers[key.index] != ValueGraph.noContainer else { return }
        enter(key, depth: container.depth + 1, &names)
        if numbers[key.index] != ValueGraph.noContainer { hasContainerKeys = true }
    }

    private mutating func readClassMember(of container: inout ValueGraph.Container, _ names: inout ClassNumbers) {
        for position in 0..<container.count {
            let key = document.object(view.stored(id(keys[container.start + position])))
            guard document.text(key, equals: "$class") else { continue }
            let value = id(values[container.start + position])
            guard let name = view.text(value) else { return }
            container.classSlot = position
            let number = classMembers[value] ?? names.number(of: name)
            classMembers[value] = number
            container.classNumber = number
            return
        }
    }
}
