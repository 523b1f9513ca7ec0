public import SaveCodec

/// An unarchiver that turns an archive of Foundation values into a plain property list.
///
/// The result is what a program would write if it unarchived the root and wrote it as a property list.
///
///     root: NSMutableDictionary {"name": "Ada", "seen": NSDate}     ─▶     {"name": "Ada", "seen": date}
///
/// If `root` is the only root, its value is the property list; otherwise a dictionary of the roots is. Shared objects
/// stay shared. nil and NSNull become null. An object of another class is a loss and becomes a dictionary of its
/// fields, with the class name as `$class`.
public enum PlainUnarchiver {
    /// Returns the property list, and the losses of the conversion.
    ///
    /// - Throws: A problem if an object contains itself, if a dictionary key is a container or an object with fields,
    ///   if containers are nested deeper than the limit, or if the property list would be too large.
    public static func plain(
        _ archive: KeyedArchive, limits: Limits = Limits()
    ) throws(Problem) -> (document: Document, losses: [Problem]) {
        var conversion = Conversion(ObjectView(archive), limits)
        try conversion.run()
        let losses = conversion.losses.problems
        return (try conversion.builder.finish(sourceSize: archive.document.sourceSize), losses)
    }

    private struct Conversion: ~Copyable {
        private struct Frame {
            let id: ViewID
            let value: ViewValue
            var next = 0
            /// The greatest nesting depth found in the container so far, counting the container itself.
            var height = 1
            /// Whether the key at ``next`` has been added.
            var hasKey = false
        }

        private let view: ObjectView
        private let limits: Limits
        var builder: DocumentBuilder
        var losses = LossList()
        private var frames: [Frame] = []
        private var built: [ViewID: (id: ObjectID, height: Int)] = [:]
        private var open: Set<ViewID> = []
        /// The scalars that have been added. A scalar is added once, because a long one may be referred to any number
        /// of times.
        private var scalars: ScalarCopies
        /// The class names that have been added, by class position.
        private var classNames: [Int: ObjectID] = [:]

        init(_ view: ObjectView, _ limits: Limits) {
            self.view = view
            self.limits = limits
            builder = DocumentBuilder(expectedSize: view.document.imageSize)
            scalars = ScalarCopies(count: view.document.count)
        }

        mutating func run() throws(Problem) {
            try add(start)
            while let frame = frames.last {
                if frame.next < frame.value.contents.count {
                    try addContent(frame)
                } else {
                    frames.removeLast()
                    open.remove(frame.id)
                    built[frame.id] = (builder.close(), frame.height)
                    raise(to: frame.height + 1)
                }
            }
        }

        /// The only root if its name is `root`, otherwise the dictionary of roots.
        private var start: ViewID {
            let roots = view[view.root].contents
            guard roots.count == 1, case let item = view.item(0, of: roots), let key = item.key,
                let name = view.text(key), name.elementsEqual("root".utf16)
            else { return view.root }
            return item.id
        }

        private mutating func addContent(_ frame: Frame) throws(Problem) {
            let item = view.item(frame.next, of: frame.value.contents)
            if let key = item.key, !frame.hasKey {
                frames[frames.count - 1].hasKey = true
                guard !view[key].isContainer else {
                    throw Problem(
                        "plain.key", "found a container or an object as a key; a property list allows only scalar keys",
                        address: address.parent)
                }
                return try add(key)
            }
            frames[frames.count - 1].next += 1
            frames[frames.count - 1].hasKey = false
            try add(item.id)
        }

        private mutating func add(_ id: ViewID) throws(Problem) {
            if let existing = built[id] {
                try checkDepth(adding: existing.height)
                raise(to: existing.height + 1)
                return builder.add(existing.id)
            }
            guard !open.contains(id) else { throw .cycle(at: address) }
            let value = view[id]
            switch value.variant {
            case .scalar(let node): return add(node, id)
            case .array: builder.open(.array)
            case .set: builder.open(.set)
            case .dictionary: builder.open(.dictionary)
            case .object: openObject(value)
            }
            try checkDepth(adding: 1)
            open.insert(id)
            frames.append(Frame(id: id, value: value))
        }

        private func checkDepth(adding height: Int) throws(Problem) {
            guard frames.count + height <= limits.maxDepth else {
                throw Problem(
                    "plain.depth", "objects are nested more than \(limits.maxDepth) levels deep", address: address)
            }
        }

        /// Raises the nesting depth of the innermost open container to at least `height`.
        private mutating func raise(to height: Int) {
            guard let frame = frames.last else { return }
            frames[frames.count - 1].height = max(frame.height, height)
        }

        private mutating func add(_ node: Node, _ id: ViewID) {
            switch node {
            case .null: builder.addNull()
            case .date(let seconds): builder.add(date: seconds)
            default: scalars.add(view.storedScalar(of: id) ?? view.stored(id), of: view.document, to: &builder)
            }
        }

        private mutating func openObject(_ value: ViewValue) {
            let name = value.classPosition.flatMap { view.archive?.classes[$0].name }
            var list = losses
            losses = LossList()
            list.add(.classLost) { .classLost(name, at: address) }
            losses = list
            builder.open(.dictionary)
            guard let name, let position = value.classPosition else { return }
            builder.add(string: "$class")
            if let known = classNames[position] { return builder.add(known) }
            classNames[position] = builder.add(name.object, of: view.document)
        }

        private var address: JSONPointer {
            var address = JSONPointer.root
            for frame in frames where frame.next > 0 || frame.hasKey {
                let position = frame.hasKey ? frame.next : frame.next - 1
                let item = view.item(position, of: frame.value.contents)
                if let key = item.key, let text = view.text(key) {
                    address.append(key: text.prefix(200))
                } else {
                    address.append(index: position)
                }
            }
            return address
        }
    }
}

extension JSONPointer {
    fileprivate var parent: JSONPointer {
        var parent = self
        parent.removeLast()
        return parent
    }
}

extension Problem {
    fileprivate static func cycle(at address: JSONPointer) -> Problem {
        Problem(
            "plain.cycle", "the object contains itself; a plain property list cannot represent that", address: address)
    }

    fileprivate static func classLost(_ name: StoredString?, at address: JSONPointer) -> Problem {
        let shown = name.map { Phrase.name($0) } ?? ""
        return Problem(
            .classLost, "found an object of class \(shown); a plain property list cannot represent it", address: address
        )
    }
}

extension Problem.Kind {
    fileprivate static var classLost: Problem.Kind { .init("plain.class") }
}
