package import SaveCodec

/// What an entry of `$objects` is for.
package enum ObjectRole: Sendable, Equatable {
    /// It stands for nil.
    case null
    /// A plain value.
    case value
    /// An object of the class at this position in ``KeyedArchive/classes``.
    case instance(Int)
    /// The record of the class at this position.
    case classRecord(Int)

    /// Whether it is an object to those who use the archive.
    package var isObject: Bool {
        switch self {
        case .value, .instance: true
        case .null, .classRecord: false
        }
    }
}

extension KeyedArchive {
    /// What an entry of `$objects` is for.
    package func role(of uid: UID) -> ObjectRole {
        switch entries[uid.index] {
        case .null, .broken: .null
        case .value: .value
        case .instance(let position): .instance(Int(position))
        case .classRecord(let position): .classRecord(Int(position))
        }
    }

    /// The dictionary of the roots as it is stored.
    package var storedTop: ObjectID { topID }

    /// An object as it lies in the image.
    package func stored(_ uid: UID) -> StoredObject {
        document.object(objectID(uid))
    }

    /// The object of the property list that an object of the archive is.
    package func objectID(_ uid: UID) -> ObjectID {
        document.reference(uid.index, of: objects)
    }
}
