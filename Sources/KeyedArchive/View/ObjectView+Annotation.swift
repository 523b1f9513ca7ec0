import SaveCodec

/// What objects stand for, as text for the eye (formats.md §5.3).
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

    /// What a value stands for where it stands: beside objects, the data that SceneKit keeps vectors in.
    public func annotation(of item: ViewItem, in container: ViewID) -> String? {
        annotation(of: item.id) ?? vector(item, in: container)
    }

    /// The components of a vector in a field of an object of SceneKit's.
    private func vector(_ item: ViewItem, in container: ViewID) -> String? {
        guard let archive, let uid = uid(container), let position = archive.classPosition(of: uid),
            archive.classes[position].name.starts(with: "SCN".utf16), let key = item.key.flatMap(text),
            Self.vectors.contains(where: { key.elementsEqual($0.utf16) }),
            case .scalar(.data(let bytes)) = self[item.id].form
        else { return nil }
        return VectorText.text(of: bytes)
    }

    private static let vectors = ["position", "scale", "eulerAngles", "rotation", "orientation", "transform"]
}
