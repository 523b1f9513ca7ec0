@testable import SaveCodec

/// A document with the ranges of its values in the text.
struct MappedText {
    /// A key or value with its range in the text.
    struct Slot {
        let object: ObjectID
        let range: Range<Int>
    }

    let document: Document
    let map: SourceMap

    init(_ document: Document, _ map: SourceMap) {
        self.document = document
        self.map = map
    }

    /// Returns the slots of a container, each key before its value; a scalar has no slots.
    func slots(of container: ObjectID) -> [Slot] {
        let object = document.object(container)
        guard object.kind == .dictionary else {
            return (0..<object.referenceCount).map {
                Slot(object: document.reference($0, of: object), range: map.value($0, of: container))
            }
        }
        return (0..<object.count).flatMap {
            [
                Slot(object: document.key($0, of: object), range: map.key($0, of: container)),
                Slot(object: document.value($0, of: object), range: map.value($0, of: container)),
            ]
        }
    }

    /// The text of the root and of the slots of every container, outer containers first.
    var all: [ArraySlice<UInt8>] {
        var pieces = [map.text[map.root]]
        var containers = [document.root]
        while !containers.isEmpty {
            let slots = slots(of: containers.removeFirst())
            pieces += slots.map { map.text[$0.range] }
            containers += slots.map(\.object)
        }
        return pieces
    }

    /// Returns errors in the ranges. Each range must lie inside the container's range and after the previous one, and
    /// its text must read as the value. Every container is checked once, at its first location.
    func faults(of format: Format) -> [String] {
        var faults = fault(Slot(object: document.root, range: map.root), format).map { [$0] } ?? []
        var seen = Set<ObjectID>()
        var open = [Slot(object: document.root, range: map.root)]
        while let container = open.popLast() {
            guard seen.insert(container.object).inserted else { continue }
            var end = container.range.lowerBound
            let slots = slots(of: container.object)
            for slot in slots {
                let isShorthand = slot.range.upperBound == end
                if slot.range.lowerBound < end, !isShorthand { faults.append("\(slot.range) begins before \(end)") }
                if slot.range.upperBound > container.range.upperBound { faults.append("\(slot.range) is outside") }
                end = slot.range.upperBound
                if let fault = fault(slot, format) { faults.append(fault) }
            }
            open += slots.reversed()
        }
        return faults
    }

    /// The length up to which a text is read on its own; for long, deep texts that would take quadratic time.
    private static let longest = 2048

    private func fault(_ slot: Slot, _ format: Format) -> String? {
        guard slot.range.count <= Self.longest else { return nil }
        let text = Array(map.text[slot.range])
        let isBody = slot.range == map.root && format == .openStep
        let (opener, closer): (String, String) =
            switch format {
            case .json: ("[", "]")
            case .openStep where !isBody, .gnustep: ("(", ")")
            default: ("", "")
            }
        let limits = Limits(maxDepth: Limits().maxDepth + 1)
        do {
            let bytes = Array(opener.utf8) + text + Array(closer.utf8)
            let read =
                switch format {
                case .json where document.isPlainJSON: try JSON.readPlain(bytes, limits: limits)
                case .json: try JSON.readTyped(bytes, limits: limits)
                default: try Document.read(bytes, as: format, limits: limits)
                }
            let alone = opener.isEmpty ? read : read.rooted(at: read.reference(0, of: read.object(read.root)))
            let isEqual = try RoundTrip.value(of: alone) == RoundTrip.value(of: document.rooted(at: slot.object))
            return isEqual ? nil : "\(slot.range) is another value: \(String(decoding: text, as: UTF8.self))"
        } catch {
            return "\(slot.range): \(error)"
        }
    }
}
