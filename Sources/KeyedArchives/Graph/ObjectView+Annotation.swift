import SaveCodec

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
    public func annotation(of id: ViewID) -> String? {
        guard let archive, let uid = uid(id), let fields = Fields(uid, of: archive) else { return nil }
        return fields.annotation
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
    public func annotation(of id: ViewID, under key: ViewID, in container: ViewID) -> String? {
        guard let archive, case .data(let bytes) = scalar(id), let uid = uid(container),
            let position = archive.classPosition(of: uid), archive.classes[position].name.starts(with: "SCN".utf16),
            let name = text(key), Self.vectors.contains(where: { name.elementsEqual($0.utf16) })
        else { return nil }
        return VectorText.text(of: bytes)
    }

    private static let vectors = ["position", "scale", "eulerAngles", "rotation", "orientation", "transform"]
}
