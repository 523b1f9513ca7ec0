package import KeyedArchives
package import SaveCodec
import SaveOperations

extension ObjectView {
    /// Writes a value in the syntax that `set` accepts: typed JSON, or graph JSON for an archive.
    ///
    /// Objects that the address leads through are written as references to their addresses. So are objects that are
    /// nested too deeply for JSON readers.
    ///
    /// - Parameter address: The address of the value.
    /// - Throws: A problem if the text would be far larger than the document, or for names that JSON cannot represent.
    package func writeTyped(
        _ id: ViewID, at address: JSONPointer, isCompact: Bool, limits: Limits = Limits(),
        to output: inout ByteWriter
    ) throws(Problem) {
        let options = WriteOptions(isCompact: isCompact)
        guard let archive else {
            try document.checkExpansion(limits)
            return JSONWriter.writeValue(
                of: document, root: stored(id), indentation: 0, options: options, to: &output)
        }
        if uid(id) == nil, scalar(id) != nil { return ScalarText.writeTyped(document[stored(id)], to: &output) }
        if uid(id) == nil, isWithinRaw(address) {
            return JSONWriter.writeValue(
                of: document, root: stored(id), indentation: 0, options: options, to: &output)
        }
        var scan = SharedObjectScan(self)
        try scan.run(from: id, at: address, limits)
        var writer = GraphJSONValueWriter(archive, receiver: archive.classes, options: options)
        (writer.substitutes, writer.shared) = (scan.substitutes, scan.shared)
        if id == root {
            writer.writeTop(to: &output)
        } else if let uid = uid(id) {
            writer.write(uid, to: &output)
        } else {
            writer.write(stored(id), to: &output)
        }
    }

    /// Whether the value at an address is part of a value without a class in `$objects`.
    private func isWithinRaw(_ address: JSONPointer) -> Bool {
        let uid = ResolvedAddress(address, in: self)?.containers.reversed().lazy.compactMap { self.uid($0) }.first
        return uid.map { archive?.role(of: $0) == .value } ?? false
    }
}

/// A search for the objects to write as shared objects or as references to addresses. Iterative; visits each container
/// once.
private struct SharedObjectScan {
    /// The largest depth. A container takes up to three levels of JSON, and JSON readers accept 512.
    private static let maxDepth = 120

    private let view: ObjectView
    private(set) var substitutes: [UID: ObjectSubstitute] = [:]
    private(set) var shared: Set<UID> = []
    private var size = 0

    init(_ view: ObjectView) {
        self.view = view
    }

    mutating func run(from id: ViewID, at address: JSONPointer, _ limits: Limits) throws(Problem) {
        let above = depths(above: id, address)
        var met: Set<ViewID> = [id]
        var path = [(id: id, contents: view[id].contents, next: 0)]
        while let frame = path.last {
            guard frame.next < 2 * frame.contents.count else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let item = view.item(frame.next / 2, of: frame.contents)
            guard let child = frame.next % 2 == 0 ? item.key : item.id else { continue }
            if frame.next % 2 == 0 { try checkName(child) }
            size += view.ownSize(of: child)
            try limits.check(expandedSize: size, of: view.document)
            guard view.container(child) != nil else { continue }
            if let depth = above[child] {
                if let uid = view.uid(child) { substitutes[uid] = .pointer(address.prefix(depth)) }
                continue
            }
            guard met.insert(child).inserted else {
                if let uid = view.uid(child) { shared.insert(uid) }
                continue
            }
            guard path.count < Self.maxDepth else {
                try substituteReference(to: child, below: path.map { ($0.id, $0.next) }, address)
                continue
            }
            path.append((child, view[child].contents, 0))
        }
    }

    /// Returns the objects that the address leads through, with the number of tokens that lead to each.
    private func depths(above id: ViewID, _ address: JSONPointer) -> [ViewID: Int] {
        var depths: [ViewID: Int] = [:]
        for (depth, above) in (ResolvedAddress(address, in: view)?.containers ?? []).enumerated()
        where above != id && view.uid(above) != nil && depths[above] == nil {
            depths[above] = depth
        }
        return depths
    }

    /// Records that an object that is nested too deeply is written as a reference to its address.
    private mutating func substituteReference(
        to id: ViewID, below path: [(id: ViewID, next: Int)], _ address: JSONPointer
    ) throws(Problem) {
        var address = address
        for (container, next) in path {
            let position = (next - 1) / 2
            let item = view.item(position, of: view[container].contents)
            // No address leads to a key.
            guard next % 2 == 0 else { throw Self.tooDeep() }
            view.append(PathStep(key: item.key, position: position), to: &address)
        }
        guard let uid = view.uid(id) else { throw Self.tooDeep() }
        substitutes[uid] = .pointer(address)
    }

    private static func tooDeep() -> Problem {
        Problem("graph.depth", "in-place values are too deeply nested for graph JSON; use plain JSON")
    }

    private func checkName(_ key: ViewID) throws(Problem) {
        guard view.uid(key) == nil else { return }
        let kind = view.document.object(view.stored(key)).kind
        guard kind == .uid || kind.isContainer else { return }
        throw Problem(
            "graph.key-kind",
            "a name is \(view.document.kindName(view.stored(key))), which graph JSON cannot represent; use plain JSON")
    }
}
