/// An editor that changes a text to represent another document. It only touches what differs, and writes new members in
/// the style of their neighbours (see <doc:TextEdits>).
///
///     a = 1; // about a                a = 2; // about a
///     b = (x, y);              ─▶      b = (x, y, z);
struct TextEditor {
    let map: SourceMap
    let syntax: any TextSyntax
    let before: Document
    let after: Document
    let changes: [ContainerChange]
    var containers: ChangedContainers
    /// The numbers of changes whose containers are completely rewritten.
    private var rewritten: Set<Int> = []
    /// Whether the comments above removed members stay.
    let keepsComments: Bool
    /// The text from which new values are copied.
    var donor: DonorText?
    /// The given texts of new values, by the offsets of the values that they replace.
    private let spelled: [Int: [UInt8]]
    /// The ranges of new values that were elsewhere in the text.
    private let copies: [ObjectID: Range<Int>]
    var result = Result()
    /// The value written last, if its text does not depend on the text around it. A pattern may set very many slots to
    /// one value.
    private var lastScalar: (value: ObjectID, text: [UInt8])?
    private let scratch = Scratch()

    /// A buffer for the new values, one at a time. A class, because a writer cannot be copied and an editor can.
    private final class Scratch {
        var output = ByteWriter()
    }

    init(
        _ change: consuming DocumentChange, at map: SourceMap, _ syntax: any TextSyntax, taking sources: TextSources,
        keepsComments: Bool
    ) {
        self.map = map
        self.syntax = syntax
        self.keepsComments = keepsComments
        (before, after, changes) = (change.before, change.after, change.containers)
        containers = ChangedContainers(changes, of: before, at: map, syntax)
        // Text with other tags cannot be copied.
        donor = sources.donor.flatMap { $0.hasShortTags == syntax.hasShortTags ? $0 : nil }
        spelled = sources.spelled
        copies = sources.elsewhere.mapValues { map.value($0.position, of: $0.container) }
        result.moved = Array(copies.values)
    }

    /// The result of an edit.
    struct Result {
        var splices = Splices()
        /// The ranges whose comments appear elsewhere in the result.
        var moved: [Range<Int>] = []
        /// The ranges of values that were replaced by given texts, and these texts. A comment that is in both is not
        /// removed.
        var respelled: [(range: Range<Int>, text: [UInt8])] = []
    }

    /// Returns the changes of the text; nil if one of them requires rewriting the text.
    consuming func edited() -> Result? {
        guard makeSplices() else { return nil }
        return result
    }

    private mutating func makeSplices() -> Bool {
        guard !changes.isEmpty else { return replaceRoot() }
        result.splices.reserve(replacements: changes.reduce(0) { $0 + $1.replaced.count })
        var outer = Bitmap(count: changes.count)
        for number in changes.indices { if let parent = changes[number].parent { outer.insert(parent.change) } }
        for number in changes.indices {
            donor?.matchMembers(of: changes[number].after)
            let container = outer.contains(number) ? containers.text(number) : containers.newText(number)
            if let parent = changes[number].parent, rewritten.contains(parent.change) {
                rewritten.insert(number)
            } else {
                guard edit(changes[number], number: number, in: container) else { return false }
            }
        }
        return true
    }

    private mutating func replaceRoot() -> Bool {
        let root = map.root
        if let text = spelled[root.lowerBound] {
            result.respelled.append((root, text))
            result.splices.replace(root, with: text)
            return true
        }
        guard syntax.contents(of: root, .dictionary, in: map.text) != root else { return false }
        result.splices.replace(root, with: rootText(root))
        return true
    }

    private mutating func rootText(_ root: Range<Int>) -> [UInt8] {
        // Geometry Dash writes a file with short tags on one line.
        let isRow = syntax.hasShortTags && !map.text.contains(0x0A)
        let isBroken =
            map.text[root].contains(0x0A) || !before.object(before.root).kind.isContainer && !isRow
            || before.object(before.root).count == 0 && !isRow
        let keyGap = syntax.defaultKeyGap(inLines: isBroken)
        var values = StyledValueWriter(
            after, syntax, copies: copies, of: map.text,
            gaps: MemberGaps(key: keyGap, member: syntax.defaultMemberGap(keyGap: keyGap)))
        var output = ByteWriter()
        values.write(
            after.root, like: TextSample(text: map.text, value: root), in: isBroken ? containers.rootStyle() : nil,
            to: &output)
        return syntax.rootText(output.takeBytes(), insteadOf: map.text[root])
    }

    // MARK: Containers

    private mutating func edit(_ change: ContainerChange, number: Int, in container: ContainerText?) -> Bool {
        let range = containers.range(number)
        guard let container, !container.isBlank || container.contents == range else {
            rewritten.insert(number)
            return replaceContainer(change, range)
        }
        if change.origins.isEmpty, container.count > 0 {
            return empty(container, number)
        }
        if change.origins.areUnmoved {
            for position in change.replaced { replace(position, of: container, by: change, number) }
        } else {
            editMembers(of: container, change, number)
        }
        return true
    }

    /// Removes, inserts and replaces members.
    private mutating func editMembers(of container: ContainerText, _ change: ContainerChange, _ number: Int) {
        var change = change
        if container.count > 0, change.origins.haveNew, !change.origins.contains(where: { $0 != nil }) {
            // The first new member is written at the position of the first old one, but does not inherit its comments.
            change.origins[0] = 0
            change.replaced.append(0)
            if !keepsComments { removeComments(of: 0, in: container) }
        }
        let hasNew = change.origins.haveNew
        if change.origins.count != container.count || hasNew {
            var kept = Bitmap(count: container.count)
            for case let origin? in change.origins { kept.insert(origin) }
            remove(from: container, keeping: kept)
            endLastMember(of: container, change)
            if hasNew { insert(into: container, change, number) }
        }
        for position in change.replaced { replace(position, of: container, by: change, number) }
    }

    /// Rewrites the whole text of a container that has no members, or into which none can be inserted.
    private mutating func replaceContainer(_ change: ContainerChange, _ range: Range<Int>) -> Bool {
        guard let parent = change.parent, let outer = containers.known(parent.change) else {
            guard change.parent == nil, range == map.root else { return false }
            result.splices.replace(range, with: rootText(range))
            return true
        }
        result.splices.replace(
            range,
            with: text(
                of: change.after,
                at: Neighbour(container: outer, position: parent.position, change: parent.change), replacing: range
            ) { donor, style in donor.value(change.after, in: style) })
        return true
    }

    /// Replaces the value of a member, and its key if it differs.
    private mutating func replace(
        _ position: Int, of container: ContainerText, by change: ContainerChange, _ number: Int
    ) {
        guard let origin = change.origins[position] else { return }
        let object = after.object(change.after)
        let isKeyed = object.kind == .dictionary
        let value = after.member(position, of: object)
        // Only a dictionary whose members have not moved surely has the same keys.
        let hasKey =
            !isKeyed || change.origins.areUnmoved
            || before.sameScalar(
                before.object(before.key(origin, of: container.object)),
                as: after.object(after.key(position, of: object)), in: after)
        let neighbour = Neighbour(container: container, position: origin, change: number)
        if hasKey, !container.isShorthand(origin) {
            let range = container.value(origin)
            let text = text(of: value, at: neighbour, replacing: range) { donor, style in
                donor.value(position, of: change.after, in: style)
            }
            let comments = donor?.comments(of: position, of: change.after, in: nil).inner ?? []
            guard !comments.isEmpty else { return replace(range, with: text) }
            result.splices.delete(range.upperBound..<container.gap(origin + 1).innerEnd)
            result.splices.replace(range, with: Self.joined(text, comments))
        } else {
            let style = container.beginsLine(origin) ? containers.lineStyle(of: container, near: origin, number) : nil
            var writer = memberWriter(near: neighbour, in: style, kinds: [after.object(value).kind])
            replace(container.member(origin), with: text(ofMember: position, of: change.after, &writer))
        }
    }

    private mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        let isSeparate = Self.isSeparate(text, from: map.text[range.upperBound...].first)
        result.splices.replace(range, with: isSeparate ? text : text + [0x20])
    }

    /// Joins a value and the text after it, adding a space before a comment that would otherwise become part of an
    /// unquoted string.
    static func joined(_ value: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        isSeparate(value, from: rest.first) ? value + rest : value + [0x20] + rest
    }

    private static func isSeparate(_ value: [UInt8], from next: UInt8?) -> Bool {
        guard next == UInt8(ascii: "/"), let last = value.last else { return true }
        return [UInt8(ascii: "\""), UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "}")].contains(last)
    }

    /// Whether a new value is copied from the donor. A container that was elsewhere in the text is copied from there
    /// instead, with its comments.
    func prefersDonor(for value: ObjectID) -> Bool {
        copies[value] == nil || !after.object(value).kind.isContainer
    }

    /// Returns the text of a value that replaces another one: copied from the donor or the given text if possible,
    /// otherwise newly written.
    private mutating func text(
        of value: ObjectID, at neighbour: Neighbour, replacing range: Range<Int>,
        copying copied: (DonorText, LineStyle?) -> [UInt8]?
    ) -> [UInt8] {
        let (container, position) = (neighbour.container, neighbour.position)
        let object = after.object(value)
        let mayHaveLines = object.kind.isContainer || object.kind == .data || object.kind == .uid
        let style =
            mayHaveLines && container.beginsLine(position)
            ? containers.lineStyle(of: container, near: position, neighbour.change) : nil
        if let donor, prefersDonor(for: value), let text = copied(donor, style) { return text }
        if let text = spelled[range.lowerBound] {
            result.respelled.append((range, text))
            return text
        }
        if let lastScalar, lastScalar.value == value { return lastScalar.text }
        if object.kind.isContainer || copies[value] != nil {
            var writer = memberWriter(near: neighbour, in: style, kinds: [object.kind], replacing: range)
            writer.write(value, to: &scratch.output)
        } else {
            let sample = container.sample(near: position, replacing: range)
            syntax.writeScalar(object, of: after, like: sample, in: style, to: &scratch.output)
            if !syntax.usesSamples, !mayHaveLines {
                let text = scratch.output.takeBytes()
                lastScalar = (value, text)
                return text
            }
        }
        return scratch.output.takeBytes()
    }

    /// A member of a container near which something is written, or whose value is replaced.
    struct Neighbour {
        let container: ContainerText
        /// The position in the container.
        let position: Int
        /// The number of the container's change.
        let change: Int
    }

    /// Returns a writer of new members near another member.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the new values.
    ///   - replaced: The range of the value that is replaced.
    mutating func memberWriter(
        near neighbour: Neighbour, in style: LineStyle?, kinds: Set<StoredObject.Kind>,
        replacing replaced: Range<Int>? = nil
    ) -> MemberWriter {
        let (container, position) = (neighbour.container, neighbour.position)
        let values = valueText(in: container, near: position, neighbour.change, inLines: style != nil)
        var writer = MemberWriter(
            values: values, sample: container.sample(near: position, replacing: replaced), style: style)
        for kind in kinds {
            guard let model = model(of: kind, in: container, near: position) else { continue }
            let isRow = !map.text[model.range].contains { $0 == 0x0A || $0 == 0x0D }
            let text = StyledValueWriter(
                after, syntax, copies: copies, of: map.text,
                gaps: MemberGaps(
                    key: model.keyGap(near: 0) ?? values.gaps.key,
                    member: model.memberGap(near: 1) ?? values.gaps.member, padding: isRow ? model.padding : ([], [])))
            writer.models[kind] = (text, isRow)
        }
        return writer
    }

    private mutating func valueText(
        in container: ContainerText, near position: Int, _ number: Int, inLines: Bool
    ) -> StyledValueWriter {
        let keyGap = containers.keyGap(in: container, near: position, number, inLines: inLines)
        return StyledValueWriter(
            after, syntax, copies: copies, of: map.text,
            gaps: MemberGaps(key: keyGap, member: containers.memberGap(in: container, near: position, number, keyGap)))
    }

    /// Returns the nearest container of a kind among the members near a position.
    private func model(
        of kind: StoredObject.Kind, in container: ContainerText, near position: Int
    ) -> ContainerText? {
        guard kind.isContainer else { return nil }
        for neighbour in container.around(position) {
            let id = before.member(neighbour, of: container.object)
            let object = before.object(id)
            guard object.kind == kind, object.count > 0 else { continue }
            return ContainerText(id, of: before, at: container.value(neighbour), in: map, syntax)
        }
        // If no member qualifies, a container on one line is itself the model for those inside it.
        let isRow = !map.text[container.range].contains { $0 == 0x0A || $0 == 0x0D }
        return isRow && container.object.kind == kind && container.count > 0 ? container : nil
    }
}
