package import KeyedArchives
package import SaveCodec

/// Finds the places in a file that addresses lead to.
///
///     /root/health ─▶ tree of the view ─▶ value ─▶ byte 0x113       a binary file: where its objects stand is known
///                                               └▶ 12:7             a text: it is read again, with a source map, when
///                                                                   the first place is asked for
package final class FilePlaces {
    /// What is looked for.
    package struct Target {
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
    private let wrapping: Wrapping

    /// - Parameter wrapping: the layers that the bytes were in; places are told to be in what these hold.
    package init(in bytes: [UInt8], as format: Format, limits: Limits, from wrapping: Wrapping = Wrapping()) {
        self.bytes = bytes
        self.format = format
        self.limits = limits
        self.wrapping = wrapping
    }

    /// What addresses in graph JSON go down.
    private var graphTree: GraphTree?
    /// How many members may still be looked at for addresses that are looked up one by one.
    private var lookupBudget = 20_000_000

    /// Whether places are lines and columns.
    package var isText: Bool { format.has(.text) }

    /// The text, read again. Numbers of objects are those of the document that was read before.
    private lazy var text: (document: Document, map: SourceMap, lines: LineTable)? = {
        guard isText,
            let (document, map) = try? Document.readSaveMapped(
                bytes, as: format, limits: limits, allowsNestedLoss: true), let map
        else {
            return nil
        }
        return (document, map, LineTable(map.text))
    }()

    /// The line and column that an address leads to, of one that leads nowhere those of the nearest value around; nil
    /// for a binary file.
    ///
    /// - Parameter view: what the address leads into; nil for the property list as it is stored.
    package func line(of address: JSONPointer, in view: ObjectView?) -> SourceLocation? {
        isText ? places(of: [Target(address)], in: view)[0] : nil
    }

    /// The line and column of what a container holds at a position; nil for a binary file.
    ///
    /// - Parameter address: where that is; needed in graph JSON, whose containers are not those of the view.
    package func line(
        at position: Int, of container: ViewID, in view: ObjectView, _ address: @autoclosure () -> JSONPointer
    ) -> SourceLocation? {
        guard isText, let text else { return nil }
        let tree = tree(of: view, text.document, text.map)
        if let tree = tree as? ViewTree {
            return location(of: tree.value(at: position, of: container.index).offset)
        }
        guard lookupBudget > 0 else { return nil }
        let result = AddressSearch.results(for: [address()], in: tree, budget: &lookupBudget)[0]
        return location(of: result.value.offset)
    }

    private func location(of offset: Int) -> SourceLocation? {
        (text?.lines.location(of: offset)).map(wrapping.located)
    }

    /// The places of several addresses; of those in a text that lead nowhere, of the nearest value around.
    package func places(of targets: [Target], in view: ObjectView?) -> [SourceLocation?] {
        guard isText else { return bytePlaces(of: targets, in: view) }
        guard !targets.isEmpty, text != nil else { return targets.map { _ in nil } }
        return offsets(of: targets, in: view).map(location)
    }

    /// Where in the text addresses lead, of saves that stand in JSON in place of data also into these.
    private func offsets(of targets: [Target], in view: ObjectView?) -> [Int] {
        guard let text else { return targets.map { _ in 0 } }
        let tree = tree(of: view, text.document, text.map)
        let results = AddressSearch.results(for: targets.map(\.address), in: tree, size: text.document.count)
        var inside: [Int: [(index: Int, target: Target)]] = [:]
        var offsets: [Int] = []
        for (index, (target, result)) in zip(targets, results).enumerated() {
            let isThere = result.depth == target.address.tokens.count
            offsets.append((target.isKey && isThere ? result.value.keyOffset : nil) ?? result.value.offset)
            guard !isThere, case .none = tree.contents(of: result.value.id) else { continue }
            inside[result.value.offset, default: []].append((index, target.entering(at: result.depth)))
        }
        for (offset, targets) in inside {
            guard format.has(.typedJSON), let save = JSON.save(from: offset, of: text.map.text) else { continue }
            let places = FilePlaces(in: Array(text.map.text[save.contents]), as: format, limits: limits)
            let found = places.offsets(of: targets.map(\.target), in: places.view(isRaw: view?.nesting?.isRaw ?? false))
            for ((index, _), offset) in zip(targets, found) { offsets[index] = save.contents.lowerBound + offset }
        }
        return offsets
    }

    /// What addresses lead into.
    private func view(isRaw: Bool) -> ObjectView? {
        text.flatMap { try? ObjectView(of: $0.document, limits: limits, isRaw: isRaw) }
    }

    /// Whether an address leads to data that stands in JSON as a save.
    func isSave(at address: JSONPointer?, in view: ObjectView) -> Bool {
        guard format.has(.typedJSON), lookupBudget > 0, let address, let text else { return false }
        let tree = tree(of: view, text.document, text.map)
        let result = AddressSearch.results(for: [address], in: tree, budget: &lookupBudget)[0]
        return result.depth == address.tokens.count && JSON.save(from: result.value.offset, of: text.map.text) != nil
    }

    private func tree(of view: ObjectView?, _ document: Document, _ map: SourceMap) -> any PlacedTree {
        guard let view, view.archive != nil, GraphJSON.isPresent(in: document) else {
            return ViewTree(view ?? ObjectView(document), map)
        }
        let tree = graphTree ?? GraphTree(document, map)
        graphTree = tree
        return tree
    }

    /// In a binary file what is stored has its place as soon as it is found.
    private func bytePlaces(of targets: [Target], in view: ObjectView?) -> [SourceLocation?] {
        guard let view, view.document.has(.objectTable) else {
            return targets.map { _ in nil }
        }
        let results = AddressSearch.results(for: targets.map(\.address), in: ViewTree(view, nil), size: view.count)
        return zip(targets, results).map { target, result in
            result.depth == target.address.tokens.count ? wrapping.located(.byte(result.value.offset)) : nil
        }
    }
}

extension FilePlaces {
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
