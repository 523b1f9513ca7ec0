package import KeyedArchives
package import SaveCodec

/// A scalar that is new to a draft: an object of one of the documents that the draft knows.
struct DraftScalar {
    /// The number of the document.
    let document: Int
    let object: ObjectID
    /// Whether a real is meant as a date.
    var isDate = false
    /// The class whose object stands for the scalar; nil for a plain value.
    var classNumber: Int?
    /// Whether it is a date that stands in `$objects` without a class, whatever the other dates do.
    var isRaw = false
}

extension Draft {
    func node(of scalar: DraftScalar) -> Node {
        let document = documents[scalar.document]
        let stored = document.object(scalar.object)
        if scalar.isDate, stored.kind == .real, stored.count == 8 { return .date(document.real64(stored)) }
        return document.node(stored)
    }

    // MARK: Adding

    /// A new scalar: the root of a document.
    package mutating func add(scalar document: Document) -> ID {
        documents.append(document)
        return add(DraftScalar(document: documents.count - 1, object: document.root))
    }

    /// A new string.
    package mutating func add(string units: some Collection<UInt16>) -> ID {
        let units = Array(units)
        return add { $0.add(utf16: units.span, shared: false) }
    }

    /// A new scalar, which `add` adds to a builder.
    package mutating func add(_ add: (inout DocumentBuilder) -> Void) -> ID {
        var builder = DocumentBuilder()
        add(&builder)
        // A document of one scalar is never too large.
        guard let document = try? builder.finish() else { return root }
        return self.add(scalar: document)
    }

    /// A new scalar that is stored as an object of a class in an archive, such as NSMutableString.
    package mutating func add(_ scalar: ID, as className: ArchiveClass) -> ID {
        guard case .scalar(var copy)? = addedScalar(scalar) else { return scalar }
        copy.classNumber = number(of: className)
        return add(copy)
    }

    /// Whether a value is a date that stands in `$objects` without a class, as GNUstep has them.
    func isRawDate(_ id: ID) -> Bool {
        if let id = viewID(of: id) { return view.isRawDate(id) }
        guard id.index >= view.count, case .scalar(let scalar) = added[id.index - view.count] else { return false }
        return scalar.isRaw
    }

    mutating func add(_ scalar: DraftScalar) -> ID {
        added.append(.scalar(scalar))
        return ID(index: view.count + added.count - 1)
    }

    /// A scalar as one that is new, whatever it is.
    private func addedScalar(_ id: ID) -> Added? {
        if id.index >= view.count { return added[id.index - view.count] }
        guard let viewID = viewID(of: id), let object = view.storedScalar(of: viewID) else { return nil }
        return .scalar(DraftScalar(document: 0, object: object, isDate: isDate(viewID)))
    }

    private func isDate(_ id: ViewID) -> Bool {
        if case .date = view.scalar(id) { return true }
        return false
    }

    /// A new container, empty. In an archive one without a class becomes Foundation's own when it is referred to.
    ///
    /// - Throws: a problem for an object without a class, and for a class in a plain document or of another form.
    package mutating func add(_ form: ViewValue.Form, class className: ArchiveClass? = nil) throws(Problem) -> ID {
        guard let kind = ContainerKind(form) else { throw .editForm() }
        guard className == nil || view.archive != nil else { throw .editClassInPlain(className) }
        guard (kind == .object) == (className.map { Self.holdsFields($0.name) } ?? false) else {
            throw .editClassForm(className)
        }
        if let className, kind != .object, Self.kind(of: className.name) != kind { throw .editClassForm(className) }
        return add(DraftContainer(kind, classNumber: className.map { number(of: $0) }))
    }

    mutating func add(_ container: DraftContainer) -> ID {
        var container = container
        container.isEdited = true
        containers.append(container)
        added.append(.container(containers.count - 1))
        return ID(index: view.count + added.count - 1)
    }

    static func holdsFields(_ name: [UInt16]) -> Bool { KeyedArchive.layout(ofClass: name) == nil }

    /// What the objects of a collection class are; nil for all other classes.
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
    /// Whether a value is a date that stands in `$objects` without a class.
    func isRawDate(_ id: ViewID) -> Bool {
        guard let archive, let uid = uid(id) else { return false }
        return archive.stored(uid).kind == .date
    }
}
