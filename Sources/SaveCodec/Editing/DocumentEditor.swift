/// Edits a document: what is not touched keeps its bytes.
///
///     #0 {"health": #2, "name": #4}        add 6 as #5, let #0 hold it for #2
///     #1 "health"  #2 5  #3 "name" …   ─▶  #0 {"health": #2, …}  #1 "health"  #2 6  #3 "name" …
///
/// Objects that exist keep their number while they are edited, and new ones get numbers behind. What comes out of
/// ``finish(limits:)`` is numbered anew: of a binary file the objects stand as they stood, a new one in the place of the
/// one that it replaces, and further new ones at the end. Objects that the edits cut off are left out; those that
/// nothing referred to before stay. Headers, widths and text encodings are kept as far as they suffice. Of a text, objects
/// keep their number, what is cut off stays in the table, and what is new or holds something new stands behind.
package struct DocumentEditor: ~Copyable {
    private var graph: EditedGraph
    private var scalars = DocumentBuilder()
    /// The numbers of new scalars, by their number in the builder.
    private var scalarNumbers: [UInt32?] = []
    private var lastScalar: ObjectID?
    private var isEdited = false

    /// Begins to edit a document.
    package init(_ document: Document) {
        graph = EditedGraph(document)
    }

    /// The document as it was.
    var source: Document { graph.source }

    /// The object that the document consists of.
    package var root: ObjectID {
        get { graph.root }
        set {
            isEdited = isEdited || newValue != graph.root
            graph.root = newValue
        }
    }

    /// The new scalar that `add` adds to a builder. Equal ones are one object.
    package mutating func add(_ add: (inout DocumentBuilder) -> Void) -> ObjectID {
        add(&scalars)
        guard let scalar = scalars.takeLast() else { return graph.root }
        lastScalar = scalar
        while scalarNumbers.count <= scalar.index { scalarNumbers.append(nil) }
        if let number = scalarNumbers[scalar.index] { return ObjectID(Int(number)) }
        let id = graph.add(.scalar(scalar))
        scalarNumbers[scalar.index] = UInt32(truncatingIfNeeded: id.index)
        return id
    }

    /// A new scalar with the bits and the stored form of one of another document.
    package mutating func add(_ object: StoredObject, of document: Document) -> ObjectID {
        add { $0.add(object, of: document) }
    }

    /// A new container, empty for the time being.
    package mutating func addContainer(_ kind: StoredObject.Kind) -> ObjectID {
        graph.add(.container(kind, []))
    }

    /// Gives a container, new or not, other contents: the elements, or all keys and then all values.
    ///
    /// - Parameter origins: where the elements or pairs were in the container; nil for new ones, and if nobody knows.
    package mutating func setContents(of container: ObjectID, to contents: [ObjectID], origins: [Int?]? = nil) {
        isEdited = true
        graph.memberOrigins[container.index] = origins
        graph.setContents(of: container, to: contents.map { UInt32(truncatingIfNeeded: $0.index) })
    }

    /// The document as edited; without an edit the source itself.
    ///
    /// - Throws: a problem if a container would contain itself, a key be a container, containers be nested too deep, or
    ///   the document become too large.
    package consuming func finish(limits: Limits = Limits()) throws(Problem) -> Document {
        guard isEdited else { return graph.source }
        if let lastScalar {
            scalars.add(lastScalar)
            graph.scalars = try scalars.finish()
        }
        var check = EditCheck(graph, limits: limits)
        try check.run()
        guard graph.source.isFile else { return try graph.rebuilt() }
        check.addUnreached()
        return try EditedFile(graph, kept: check.reached).document(limits)
    }
}
