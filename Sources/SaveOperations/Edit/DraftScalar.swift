import KeyedArchives
import SaveCodec

/// A scalar that is not in the view.
struct DraftScalar {
    let node: Node
    /// The class of the object that stores the scalar; nil for a plain value.
    var classNumber: Int?
    /// Whether the scalar is a date in `$objects` without a class, even if other dates of the archive have one.
    var isRaw = false
}

extension Draft {
    // MARK: Adding

    /// Adds a scalar. For a container, adds null.
    mutating func add(_ scalar: Node) -> ID { add(DraftScalar(node: scalar)) }

    mutating func add(string units: some Sequence<UInt16>) -> ID {
        var builder = DocumentBuilder()
        builder.add(utf16: Array(units).span)
        // This cannot fail: a document with one string is never too large.
        guard let document = try? builder.finish() else { return root }
        return add(document[document.root])
    }

    /// Adds a copy of a scalar that an archive stores as an object of a class, such as NSMutableString.
    mutating func add(_ scalar: ID, as className: ArchiveClass) -> ID {
        guard let node = self.scalar(scalar) else { return scalar }
        return add(DraftScalar(node: node, classNumber: classes.number(adding: className)))
    }

    /// Whether a value is a date in `$objects` without a class, as GNUstep writes it.
    func isRawDate(_ id: ID) -> Bool {
        if let id = viewID(of: id) { return view.isRawDate(id) }
        return values.newScalar(id.index)?.isRaw ?? false
    }

    mutating func add(_ scalar: DraftScalar) -> ID { values.add(scalar) }

    /// Adds an empty container. If a container of an archive has no class and is stored as a reference, it is written
    /// with Foundation's class for its kind.
    ///
    /// - Throws: A problem for an object without a class, and for a class in a plain document or of another kind.
    mutating func add(_ variant: ViewValue.Variant, class className: ArchiveClass? = nil) throws(Problem) -> ID {
        guard let kind = ContainerKind(variant) else { throw .editForm() }
        guard className == nil || view.archive != nil else { throw .editClassInPlain(className) }
        guard (kind == .object) == (className.map { Self.holdsFields($0.name) } ?? false) else {
            throw .editClassForm(className)
        }
        if let className, kind != .object, Self.kind(of: className.name) != kind { throw .editClassForm(className) }
        return add(DraftContainer(kind, classNumber: className.map { classes.number(adding: $0) }))
    }

    mutating func add(_ container: DraftContainer) -> ID { values.add(container) }

    static func holdsFields(_ name: [UInt16]) -> Bool { KeyedArchive.layout(ofClass: name) == nil }

    /// Returns the kind of a collection class; nil for any other class.
    static func kind(of name: [UInt16]) -> ContainerKind? {
        switch KeyedArchive.layout(ofClass: name) {
        case .elements(.set): .set
        case .elements(.array), .numbered: .array
        case .pairs: .dictionary
        case .scalar, nil: nil
        }
    }
}

extension ObjectView {
    /// Whether a value is a date in `$objects` without a class.
    func isRawDate(_ id: ViewID) -> Bool {
        guard let archive, let uid = uid(id) else { return false }
        return archive.stored(uid).kind == .date
    }
}
