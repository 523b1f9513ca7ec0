package import KeyedArchives
package import SaveCodec
import Synchronization

/// The locations of values in a file, found by their addresses.
///
///     /root/health ─▶ value of the view ─▶ byte 0x113       a binary file: the offsets of its objects are known
///                                            └▶ 12:7             a text: the first lookup reads it again, with a source
///                                                                map
package final class FileLocations: Sendable {
    /// A value or a key to locate.
    struct Target {
        let address: JSONPointer
        /// Whether to locate the key of the value.
        let isKey: Bool

        init(_ address: JSONPointer, isKey: Bool = false) {
            self.address = address
            self.isKey = isKey
        }

        /// Returns this target relative to the nested save in the value at the first `depth` tokens.
        fileprivate func entering(at depth: Int) -> Target {
            Target(address.inSave(at: depth), isKey: isKey)
        }
    }

    private let bytes: [UInt8]
    private let format: Format
    private let limits: Limits
    /// The layers around the bytes.
    private let layers: Layers

    /// The document and the source map of a text, if the caller has already read them.
    private let mapped: (document: Document, map: SourceMap)?

    /// - Parameters:
    ///   - layers: The layers around the bytes, such as gzip. Locations are reported as locations in their contents.
    ///   - mapped: The document and the source map of a text; nil to read the text again for the first location.
    package init(
        in bytes: [UInt8], as format: Format, limits: Limits, from layers: Layers = Layers(),
        mapped: (document: Document, map: SourceMap)? = nil
    ) {
        self.bytes = bytes
        self.format = format
        self.limits = limits
        self.layers = layers
        self.mapped = mapped
    }

    /// The text and the offsets that earlier calls have read.
    private let known = Mutex(Known())

    private struct Known {
        /// The text; nil before it is read, and if it cannot be read.
        var text: Text?
        var hasReadText = false
        /// The most recently used offsets, and their view.
        var offsets: (view: ObjectView, offsets: ViewOffsets)?
    }

    private struct Text: Sendable {
        let document: Document
        let map: SourceMap
        let lines: LineTable
        /// The view of the text's document as a plain property list, even for an archive.
        let view: ObjectView
    }

    /// Whether locations are lines and columns.
    var isText: Bool { format.has(.text) }

    /// The text with its source map, read on first use. Objects have the same numbers as in the document that the
    /// caller has read.
    private var text: Text? {
        guard isText else { return nil }
        return known.withLock { known in
            if known.hasReadText { return known.text }
            known.hasReadText = true
            guard let (document, map) = mapped ?? readMapped() else { return nil }
            known.text = Text(document: document, map: map, lines: LineTable(map.text), view: ObjectView(document))
            return known.text
        }
    }

    private func readMapped() -> (document: Document, map: SourceMap)? {
        let read = try? Document.readSaveMapped(
            bytes, as: format, limits: limits, allowsNestedLoss: true, dialect: .commented)
        return read.flatMap { read in read.map.map { (read.document, $0) } }
    }

    /// Returns the line and the column of the value at an address, or of the nearest enclosing value if the address
    /// does not exist.
    ///
    /// - Parameter view: The view that the address refers to; nil for the stored property list.
    /// - Returns: The location; nil for a binary file, and for a text that cannot be read again.
    package func line(of address: JSONPointer, in view: ObjectView?) -> SourceLocation? {
        isText ? locations(of: [Target(address)], in: view)[0] : nil
    }

    /// Returns the line and the column of the value in a slot of a container; nil for a binary file.
    package func line(at position: Int, of container: ViewID, in view: ObjectView) -> SourceLocation? {
        guard isText, text != nil else { return nil }
        return location(of: offsets(of: view).slot(position, of: container).value)
    }

    private func location(of offset: Int) -> SourceLocation? {
        (text?.lines.location(of: offset)).map(layers.located)
    }

    /// Returns the locations of several targets.
    ///
    /// - Returns: A location for each target. For an address that does not exist, this is the location of the nearest
    ///   enclosing value in a text, and nil in a binary file.
    func locations(of targets: [Target], in view: ObjectView?) -> [SourceLocation?] {
        guard !isText else {
            guard !targets.isEmpty, let view = view ?? text?.view else { return targets.map { _ in nil } }
            return offsets(of: targets, in: view).map(location)
        }
        guard let view, view.document.has(.objectTable) else {
            return targets.map { _ in nil }
        }
        return targets.map { target in
            let walk = view.walk(target.address, from: view.root)
            guard case .found = walk.end else { return nil }
            return layers.located(.byte(offsets(of: view).slot(walk).value))
        }
    }

    /// Returns the byte offset of each target in the text; 0 for all if the text cannot be read.
    ///
    /// A target may be in a nested save that typed JSON shows as JSON instead of data.
    private func offsets(of targets: [Target], in view: ObjectView) -> [Int] {
        guard let text else { return targets.map { _ in 0 } }
        var inside: [Int: [(index: Int, target: Target)]] = [:]
        var offsets: [Int] = []
        for (index, target) in targets.enumerated() {
            let walk = view.walk(target.address, from: view.root)
            let slot = self.offsets(of: view).slot(walk)
            let isThere = walk.depth == target.address.tokens.count
            offsets.append((target.isKey && isThere ? slot.key : nil) ?? slot.value)
            guard !isThere, !view[walk.id].isContainer else { continue }
            inside[slot.value, default: []].append((index, target.entering(at: walk.depth)))
        }
        for (offset, targets) in inside {
            guard format.has(.typedJSON), let save = JSON.save(from: offset, of: text.map.text) else { continue }
            let innerLocations = FileLocations(in: Array(text.map.text[save.contents]), as: format, limits: limits)
            guard let inner = innerLocations.view(isRaw: view.nesting?.isRaw ?? false) ?? innerLocations.text?.view
            else { continue }
            let found = innerLocations.offsets(of: targets.map(\.target), in: inner)
            for ((index, _), offset) in zip(targets, found) { offsets[index] = save.contents.lowerBound + offset }
        }
        return offsets
    }

    /// Returns the view of the text, with the objects of an archive unless `isRaw`.
    private func view(isRaw: Bool) -> ObjectView? {
        text.flatMap { try? ObjectView(of: $0.document, limits: limits, isRaw: isRaw) }
    }

    /// Whether the text stores a nested save as JSON in place of a data value. False in formats other than typed JSON.
    ///
    /// - Parameter step: The step that leads to the data; nil for the root.
    package func isSave(at step: ContainerGraph.Step?, in view: ObjectView) -> Bool {
        guard format.has(.typedJSON), let text else { return false }
        let offsets = offsets(of: view)
        let slot = step.map { offsets.slot(Int($0.position), of: view.graph.containers[Int($0.container)].id) }
        return JSON.save(from: (slot ?? offsets.root).value, of: text.map.text) != nil
    }

    private func offsets(of view: ObjectView) -> ViewOffsets {
        let text = text
        return known.withLock { known in
            if let last = known.offsets, last.view === view { return last.offsets }
            let offsets = ViewOffsets(of: view, in: text.map { ($0.document, $0.map) })
            known.offsets = (view, offsets)
            return offsets
        }
    }

    /// Returns problems with a location added to each that has none, found by its address in the stored property list.
    func located(_ problems: [Problem]) -> [Problem] {
        located(problems, at: problems.map(\.address), in: nil)
    }

    /// Returns problems with a location added to each that has none.
    ///
    /// - Parameters:
    ///   - addresses: The address of each problem; nil for a problem that has none.
    ///   - view: The view that the addresses refer to; nil for the stored property list.
    package func located(_ problems: [Problem], at addresses: [JSONPointer?], in view: ObjectView?) -> [Problem] {
        var targets: [(index: Int, target: Target)] = []
        for (index, problem) in problems.enumerated() where lacksLocation(problem) {
            guard let address = addresses[index] else { continue }
            targets.append((index, Target(address, isKey: Self.areAboutKeys.contains(problem.id))))
        }
        guard !targets.isEmpty else { return problems }
        var problems = problems
        for ((index, _), location) in zip(targets, locations(of: targets.map(\.target), in: view)) {
            problems[index].location = location ?? problems[index].location
        }
        return problems
    }

    /// Whether a problem needs a location. A byte offset in a text does not count as one: it refers to the binary file
    /// that the text describes as exact JSON.
    private func lacksLocation(_ problem: Problem) -> Bool {
        if case .byte? = problem.location { return isText }
        return problem.location == nil
    }

    private static let areAboutKeys: Set<String> = [
        "document.repeated-key", "schema.additionalProperties", "schema.propertyNames",
        "schema.unevaluatedProperties",
    ]
}
