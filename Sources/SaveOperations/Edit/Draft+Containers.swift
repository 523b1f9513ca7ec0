import KeyedArchives
import SaveCodec

extension Draft {
    func isContainer(_ id: ID) -> Bool { scalar(id) == nil }

    /// Whether a value is a dictionary or an object.
    mutating func isKeyed(_ id: ID) -> Bool {
        switch value(id).variant {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }

    mutating func isArray(_ id: ID) -> Bool {
        guard case .array = value(id).variant else { return false }
        return true
    }

    /// Returns the index in ``DraftValues/containers`` of a container, after opening it if necessary; nil for a scalar.
    mutating func open(_ id: ID) -> Int? {
        if let number = openedNumber(id.index) { return number }
        guard slotEdits.isSet(in: id) else { return values.open(id) }
        openSetContainers()
        return openedNumber(id.index)
    }

    /// Returns the index in ``DraftValues/containers`` of an opened or new container; nil for any other value.
    func openedNumber(_ index: Int) -> Int? { values.openedNumber(index) }

    // MARK: Classes

    /// Returns the number of a value's class; nil for a plain value.
    mutating func classNumber(of id: ID) -> Int? {
        if let number = openedNumber(id.index) { return values.containers[number].classNumber }
        if let viewID = viewID(of: id) { return view.classPosition(of: viewID) }
        return values.newScalar(id.index)?.classNumber
    }
}

extension ArchiveClass {
    init(_ record: ClassRecord) {
        self.init(
            name: Array(record.name), chain: record.chain.map { $0.map { Array($0) } },
            hints: record.hints.map { $0.map { Array($0) } })
    }
}
