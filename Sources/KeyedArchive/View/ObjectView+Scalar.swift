package import SaveCodec

extension ObjectView {
    /// The stored scalar that a value is or stands for, a date as a date; nil for containers.
    package func scalarObject(_ id: ViewID) -> StoredObject? {
        let object = document.object(stored(id))
        guard let archive, let uid = uid(id) else { return object.kind.isContainer ? nil : object }
        switch archive.entries[uid.index] {
        case .null: return .null
        case .value, .classRecord, .broken: return object.kind.isContainer ? nil : object
        case .instance(let position):
            // An object that stands for a scalar has no more members than `$class` and the value.
            guard archive.classes[Int(position)].standsForScalar, object.count <= 2 else { return nil }
            switch archive.shape(of: uid) {
            case .nullObject: return .null
            case .scalar(.date, let id): return document.object(id).asDate
            case .scalar(_, let id): return document.object(id)
            default: return nil
            }
        }
    }
}
