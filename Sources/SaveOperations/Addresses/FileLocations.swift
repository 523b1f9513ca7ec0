package import KeyedArchives
package import SaveCodec
import Synchronization

/// Finds the places in a file that addresses lead to.
///
///     /root/health ─▶ value of the view ─▶ byte 0x113       a binary file: the offsets of its objects are known
///                                        └▶ 12:7             a text: it is read again, with a source map, when the
///                                                            first place is asked for
package final class FileLocations: Sendable {
    /// What is looked for.
    struct Target {
        let address: JSONPointer
        /// Whether the key of the value is meant.
        let isKey: Bool

        package init(_ address: JSONPointer, isKey: Bool = false) {
            self.address = address
            self.isKey = isKey
        }

        /// What is left to look for in the save that a value holds.
        fileprivate func entering(at depth: Int) -> Target {
            Target(address.inSave(at: depth), isKey: isKey)
        }
    }

    private let bytes: [UInt8]
    private let format: Format
    private let limits: Limits
    /// The layers that the bytes were in.
    private let wrapping: Layers

    /// A text that was read with its source map before.
    private let mapped: (document: Document, map: SourceMap)?

    /// - Parameters:
    ///   - wrapping: the layers that the bytes were in; locations are reported as inside of them.
    ///   - mapped: the document and source map of a text; nil to read it again when the first location is asked for.
    package init(
        in bytes: [UInt8], as format: Format, limits: Limits, from wrapping: Layers = Layers(),
        mapped: (document: Document, map: SourceMap)? = nil
    ) {
        self.bytes = bytes
        self.format = format
        self.limits = limits
        self.wrapping = wrapping
        self.mapped = mapped
    }

    /// What has been found so far.
    private let known = Mutex(Known())

    private struct Known {
        /// The text; nil before it is read, and if it cannot be.
        var text: Text?
        var hasReadText = false
        /// The offsets that were used last, and the view that they are for.
        var offsets: (view: ObjectView, offsets: ViewOffsets)?
    }

    /// A text with its source map.
    private struct Text: Sendable {
        let document: Document
        let map: SourceMap
        let lines: LineTable
        /// The property list as it is stored in the text.
        let view: ObjectView
    }

    /// Whether places are lines and columns.
    var isText: Bool { format.has(.text) }

    /// The text, read again unless it was read with its map. Numbers of objects are those of the document read before.
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
        let read = try? Document.readSaveMapped(bytes, as: format, limits: limits, allowsNestedLoss: true)
        return read.flatMap { read in read.map.map { (read.document, $0) } }
    }

    /// The line and column that an address leads to, of one that leads nowhere those of the nearest value around; nil
    /// for a binary file.
    ///
    /// - Parameter view: what the address leads into; nil for the property list as it is stored.
    package func line(of address: JSONPointer, in view: ObjectView?) -> SourceLocation? {
        isText ? places(of: [Target(address)], in: view)[0] : nil
    }

    /// The line and column of what a container holds at a position; nil for a binary file.
    package func line(at position: Int, of container: ViewID, in view: ObjectView) -> SourceLocation? {
        guard isText, text != nil else { return nil }
        return location(of: offsets(of: view).slot(position, of: container).value)
    }

    private func location(of offset: Int) -> SourceLocation? {
        (text?.lines.location(of: offset)).map(wrapping.located)
    }

    /// The places of several addresses; of those in a text that lead nowhere, of the nearest value around.
    func places(of targets: [Target], in view: ObjectView?) -> [SourceLocation?] {
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
            return wrapping.located(.byte(offsets(of: view).slot(walk).value))
        }
    }

    /// The offsets in the text that addresses lead to, also into saves that stand in JSON in place of data.
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
            let places = FileLocations(in: Array(text.map.text[save.contents]), as: format, limits: limits)
            guard let inner = places.view(isRaw: view.nesting?.isRaw ?? false) ?? places.text?.view else { continue }
            let found = places.offsets(of: targets.map(\.target), in: inner)
            for ((index, _), offset) in zip(targets, found) { offsets[index] = save.contents.lowerBound + offset }
        }
        return offsets
    }

    /// What addresses lead into.
    private func view(isRaw: Bool) -> ObjectView? {
        text.flatMap { try? ObjectView(of: $0.document, limits: limits, isRaw: isRaw) }
    }

    /// Whether data stands in JSON as a save.
    ///
    /// - Parameter step: the step that leads to the data; nil for the root.
    func isSave(at step: ObjectGraph.Step?, in view: ObjectView) -> Bool {
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
}

extension FileLocations {
    /// Problems with their places, where these have none, found by addresses in the property list as it is stored.
    package func located(_ problems: [Problem]) -> [Problem] {
        located(problems.map { Finding($0) }).map(\.problem)
    }

    /// Findings with their places, where these have none.
    ///
    /// - Parameter view: what their addresses lead into; nil for the property list as it is stored.
    func located(_ findings: [Finding], in view: ObjectView? = nil) -> [Finding] {
        var targets: [(index: Int, target: Target)] = []
        for (index, finding) in findings.enumerated() where lacksPlace(finding.problem) {
            guard let address = finding.problem.address ?? finding.path else { continue }
            targets.append((index, Target(address, isKey: Self.areAboutKeys.contains(finding.problem.id))))
        }
        guard !targets.isEmpty else { return findings }
        var findings = findings
        for ((index, _), place) in zip(targets, places(of: targets.map(\.target), in: view)) {
            var problem = findings[index].problem
            problem.place = place ?? problem.place
            findings[index] = Finding(problem, path: findings[index].path)
        }
        return findings
    }

    /// Whether the place of a problem is to be found. One in the binary file that an exact envelope holds is none.
    private func lacksPlace(_ problem: Problem) -> Bool {
        if case .byte? = problem.place { return isText }
        return problem.place == nil
    }

    private static let areAboutKeys: Set<String> = [
        "document.repeated-key", "schema.additionalProperties", "schema.propertyNames",
        "schema.unevaluatedProperties",
    ]
}
