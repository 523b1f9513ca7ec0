package import SaveCodec

/// What objects stand for, as text for the eye (<doc:ArchiveFormat>).
///
///     NSURL {NS.base: nil, NS.relative: "save.plist"}      save.plist
///     NSIndexSet {NSRangeCount: 2, NSRangeData: …}         1–3, 7
///     SKSpriteNode {_name: "enemy", _position: …}          "enemy" at {12, 34}
///
/// A text is told only where all fields that it takes are what the class says, and is never longer than a few hundred
/// characters. Telling it costs no more for large objects than for small ones.
extension ObjectView {
    /// What an object stands for, on one line and safe to print; nil for values that speak for themselves, and for
    /// classes that are not known.
    package func annotation(of id: ViewID) -> String? {
        guard let archive, let uid = uid(id), let fields = Fields(uid, of: archive) else { return nil }
        return fields.annotation
    }

    /// Whether an object of a class of Foundation needs one of its fields: the class says so, or without it nothing is
    /// left that the object stands for.
    package func isNeeded(_ name: StoredString, in id: ViewID) -> Bool {
        guard let archive, let uid = uid(id), var fields = Fields(uid, of: archive),
            case .fields(let rules, _)? = fields.record.foundation?.layout
        else { return false }
        if rules.contains(where: { $0.isRequired && name.elementsEqual($0.name.description.utf16) }) { return true }
        guard fields.annotation != nil else { return false }
        fields.removed = name
        return fields.annotation == nil
    }

    /// The fields of an object that change if it is to stand for a text such as `{1, 2}`; nil for an object that stands for
    /// no point, size, rectangle, range or the like, and for a text that is none of its kind.
    package func geometryFields(of id: ViewID, reading text: StoredString) -> [(name: String, value: GeometryPart)]? {
        guard let archive, let uid = uid(id) else { return nil }
        return Fields(uid, of: archive)?.fields(ofGeometry: text)
    }

    /// What an object stands for that holds nothing else worth telling; nil for nodes, which hold others.
    package func wholeAnnotation(of id: ViewID) -> String? {
        guard let archive, let position = uid(id).flatMap(archive.classPosition) else { return nil }
        switch archive.classes[position].foundation?.layout {
        case nil, .fields(_, .node?): return nil
        default: return annotation(of: id)
        }
    }

    /// What a value stands for as a field: the components of a vector, which SceneKit keeps in data.
    package func annotation(of id: ViewID, under key: ViewID, in container: ViewID) -> String? {
        guard let archive, case .data(let bytes) = scalar(id), let uid = uid(container),
            let position = archive.classPosition(of: uid), archive.classes[position].name.starts(with: "SCN".utf16),
            let name = text(key), Self.vectors.contains(where: { name.elementsEqual($0.utf16) })
        else { return nil }
        return VectorText.text(of: bytes)
    }

    private static let vectors = ["position", "scale", "eulerAngles", "rotation", "orientation", "transform"]
}
