/// Edits a text so that it reads as another document: only what differs is touched, and what is new is written as its
/// neighbours are (see <doc:TextEdits>).
///
///     a = 1; // about a                a = 2; // about a
///     b = (x, y);              ─▶      b = (x, y, z);
struct TextEditor {
    let map: SourceMap
    let syntax: any TextSyntax
    let before: Document
    let after: Document
    let changes: [ContainerChange]
    /// The numbers of changes of containers that are written anew, with all that is in them.
    private var rewritten: Set<Int> = []
    /// The levels of indentation that were found, by the numbers of changes.
    private var units: [Int: [UInt8]] = [:]
    /// Whether comments stay whose members are removed.
    let keepsComments: Bool
    var splices = Splices()
    /// The ranges whose comments stand elsewhere in the result.
    var moved: [Range<Int>] = []
    private var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - changes: what becomes of containers, each behind the one around it.
    init(
        _ before: Document, at map: SourceMap, _ syntax: any TextSyntax, to after: Document,
        _ changes: [ContainerChange], keepsComments: Bool = false
    ) {
        self.map = map
        self.before = before
        self.after = after
        self.changes = changes
        self.keepsComments = keepsComments
        self.syntax = syntax
    }

    /// The changes of the text; nil if there is one that only a text written anew can have.
    mutating func edited() -> Splices? {
        guard !changes.isEmpty else { return replaceRoot() }
        for (number, change) in changes.enumerated() {
            ranges.append(range(of: change))
            if let parent = change.parent, rewritten.contains(parent.change) {
                rewritten.insert(number)
            } else {
                guard edit(change, number) else { return nil }
            }
        }
        return splices
    }

    private func range(of change: ContainerChange) -> Range<Int> {
        guard let parent = change.parent else { return map.root }
        return map.value(parent.position, of: changes[parent.change].before)
    }

    private mutating func replaceRoot() -> Splices? {
        let root = map.root
        guard syntax.contents(of: root, .dictionary, in: map.text) != root else { return nil }
        splices.replace(root, with: rootText(root))
        return splices
    }

    private func rootText(_ root: Range<Int>) -> [UInt8] {
        let isBroken = map.text[root].contains(0x0A) || !before.object(before.root).kind.isContainer
            || before.object(before.root).count == 0
        let style = LineStyle(
            lineBreak: lineBreak(at: root.lowerBound), unit: firstIndentation ?? syntax.usualIndentation,
            indentation: map.text.blanks(ofLineAt: root.lowerBound))
        let keyGap = syntax.usualKeyGap(inLines: isBroken)
        var values = ValueText(after, syntax, keyGap: keyGap, memberGap: syntax.usualMemberGap(keyGap: keyGap))
        var output = ByteWriter()
        values.write(
            after.root, like: TextSample(text: map.text, value: root), in: isBroken ? style : nil, to: &output)
        return output.takeBytes()
    }

    // MARK: Containers

    private mutating func edit(_ change: ContainerChange, _ number: Int) -> Bool {
        let range = ranges[number]
        let container = ContainerText(change.before, of: before, at: range, in: map, syntax)
        guard let container, !container.isBlank || container.contents == range else {
            rewritten.insert(number)
            return replaceContainer(change, range)
        }
        var change = change
        if change.origins.isEmpty, container.count > 0 {
            return empty(container, number)
        }
        if container.count > 0, !change.origins.contains(where: { $0 != nil }) {
            // The first new member takes the place of the first one that there was.
            change.origins[0] = 0
            change.replaced.insert(0, at: 0)
        }
        let kept = Set(change.origins.compactMap(\.self))
        remove(from: container, keeping: kept)
        endLastMember(of: container, change)
        insert(into: container, change, number)
        for position in change.replaced { replace(position, of: container, change, number) }
        return true
    }

    /// Writes a container anew that had no place for members.
    private mutating func replaceContainer(_ change: ContainerChange, _ range: Range<Int>) -> Bool {
        guard let parent = change.parent,
            let outer = ContainerText(
                changes[parent.change].before, of: before, at: ranges[parent.change], in: map, syntax)
        else {
            guard change.parent == nil, range == map.root else { return false }
            splices.replace(range, with: rootText(range))
            return true
        }
        splices.replace(
            range,
            with: text(of: change.after, at: parent.position, of: outer, number: parent.change, replacing: range))
        return true
    }

    /// Replaces the value of a member, and its key where that is another one.
    private mutating func replace(
        _ position: Int, of container: ContainerText, _ change: ContainerChange, _ number: Int
    ) {
        guard let origin = change.origins[position] else { return }
        let object = after.object(change.after)
        let isKeyed = object.kind == .dictionary
        let value = isKeyed ? after.value(position, of: object) : after.reference(position, of: object)
        let hasKey = !isKeyed || before.sameScalar(
            before.object(before.key(origin, of: container.object)),
            as: after.object(after.key(position, of: object)), in: after)
        if hasKey, !container.isShorthand(origin) {
            let range = container.value(origin)
            splices.replace(
                range, with: text(of: value, at: origin, of: container, number: number, replacing: range))
        } else {
            let style = container.beginsLine(origin) ? lineStyle(of: container, near: origin, number) : nil
            splices.replace(
                container.member(origin),
                with: text(ofMember: position, of: change, in: container, near: origin, style, number))
        }
    }

    /// The text of a value in the place of another one.
    private mutating func text(
        of value: ObjectID, at position: Int, of container: ContainerText, number: Int, replacing range: Range<Int>
    ) -> [UInt8] {
        let style = container.beginsLine(position) ? lineStyle(of: container, near: position, number) : nil
        var output = ByteWriter()
        write(
            value, in: container, near: position, like: container.sample(near: position, replacing: range), style,
            number, to: &output)
        return output.takeBytes()
    }

    /// The text of a new member: a value, or a key and a value.
    func text(
        ofMember position: Int, of change: ContainerChange, in container: ContainerText, near neighbour: Int,
        _ style: LineStyle?, _ number: Int
    ) -> [UInt8] {
        let object = after.object(change.after)
        let sample = container.sample(near: neighbour)
        var output = ByteWriter()
        guard object.kind == .dictionary else {
            write(
                after.reference(position, of: object), in: container, near: neighbour, like: sample, style, number,
                to: &output)
            return output.takeBytes()
        }
        syntax.writeKey(after.object(after.key(position, of: object)), of: after, like: sample, to: &output)
        valueText(in: container, near: neighbour, number, inLines: style != nil).writeKeyGap(style, to: &output)
        write(
            after.value(position, of: object), in: container, near: neighbour, like: sample, style, number, to: &output)
        return output.takeBytes()
    }

    /// Writes a value on one line if the nearest container of its kind beside it stands on one, else in lines.
    private func write(
        _ value: ObjectID, in container: ContainerText, near position: Int, like sample: TextSample,
        _ style: LineStyle?, _ number: Int, to output: inout ByteWriter
    ) {
        var values = valueText(in: container, near: position, number, inLines: style != nil)
        if let row = row(like: after.object(value).kind, in: container, near: position) {
            values = ValueText(
                after, syntax, keyGap: row.keyGap(near: 0) ?? values.keyGap,
                memberGap: row.memberGap(near: 1) ?? values.memberGap, padding: row.padding)
            values.write(value, like: sample, in: nil, to: &output)
        } else {
            values.write(value, like: sample, in: style, to: &output)
        }
    }

    /// The nearest container of a kind beside a member, if it stands on one line.
    private func row(
        like kind: StoredObject.Kind, in container: ContainerText, near position: Int
    ) -> ContainerText? {
        guard kind.isContainer else { return nil }
        for neighbour in container.around(position) {
            let id = container.isDictionary
                ? before.value(neighbour, of: container.object) : before.reference(neighbour, of: container.object)
            let object = before.object(id)
            guard object.kind == kind, object.count > 0 else { continue }
            let range = container.value(neighbour)
            guard !map.text[range].contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
            return ContainerText(id, of: before, at: range, in: map, syntax)
        }
        return nil
    }

    // MARK: Style

    private func valueText(
        in container: ContainerText, near position: Int, _ number: Int, inLines: Bool
    ) -> ValueText {
        let keyGap = keyGap(in: container, near: position, number, inLines: inLines)
        return ValueText(
            after, syntax, keyGap: keyGap, memberGap: memberGap(in: container, near: position, number, keyGap))
    }

    private func keyGap(
        in container: ContainerText, near position: Int, _ number: Int, inLines: Bool
    ) -> KeyGap {
        container.keyGap(near: position)
            ?? outer(of: number).lazy.compactMap { $0.container.keyGap(near: $0.position) }.first
            ?? syntax.usualKeyGap(inLines: inLines)
    }

    func memberGap(
        in container: ContainerText, near position: Int, _ number: Int, _ keyGap: KeyGap? = nil
    ) -> [UInt8] {
        container.memberGap(near: position)
            ?? outer(of: number).lazy.compactMap { $0.container.memberGap(near: $0.position) }.first
            ?? syntax.usualMemberGap(
                keyGap: keyGap ?? self.keyGap(in: container, near: position, number, inLines: false))
    }

    /// The lines that members are written in near a position.
    mutating func lineStyle(of container: ContainerText, near position: Int, _ number: Int) -> LineStyle {
        let unit = indentationUnit(of: container, number)
        let indentation =
            container.indentation(near: position)
            ?? (container.contents == container.range
                ? [] : map.text.blanks(ofLineAt: container.range.lowerBound) + unit)
        let end = container.count > 0 ? container.member(min(position, container.count - 1)).lowerBound : container.range.lowerBound
        return LineStyle(lineBreak: lineBreak(at: end), unit: unit, indentation: indentation)
    }

    /// A level of indentation: that of the nearest container around that shows one, or the first of the file.
    private mutating func indentationUnit(of container: ContainerText, _ number: Int) -> [UInt8] {
        if let unit = units[number] { return unit }
        let unit = findIndentationUnit(of: container, number)
        units[number] = unit
        return unit
    }

    private func findIndentationUnit(of container: ContainerText, _ number: Int) -> [UInt8] {
        if let step = step(in: container, near: 0) { return step }
        return outer(of: number).lazy.compactMap { step(in: $0.container, near: $0.position) }.first
            ?? firstIndentation ?? syntax.usualIndentation
    }

    /// How much deeper the members of a container stand than its opening.
    private func step(in container: ContainerText, near position: Int) -> [UInt8]? {
        guard container.contents != container.range, let inner = container.indentation(near: position) else {
            return nil
        }
        let outer = map.text.blanks(ofLineAt: container.range.lowerBound)
        guard inner.count > outer.count, inner.starts(with: outer) else { return nil }
        return Array(inner.dropFirst(outer.count))
    }

    /// The first step of indentation from one line of the root to the next.
    private var firstIndentation: [UInt8]? {
        let text = map.text
        var outer = text.blanks(ofLineAt: map.root.lowerBound)
        var position = map.root.lowerBound
        while let end = text[position..<map.root.upperBound].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            position = end + 1
            let inner = Array(text[position..<map.root.upperBound].prefix { $0 == 0x20 || $0 == 0x09 })
            guard position + inner.count < map.root.upperBound,
                LineBreak.end(at: position + inner.count, of: text) == nil
            else { continue }
            if inner.count > outer.count, inner.starts(with: outer) { return Array(inner.dropFirst(outer.count)) }
            outer = inner
        }
        return nil
    }

    /// The containers around the one with a number, from the inside out, and where in them it is.
    private func outer(of number: Int) -> [(container: ContainerText, position: Int)] {
        var containers: [(ContainerText, Int)] = []
        var next = changes[number].parent
        while let parent = next {
            if let container = ContainerText(
                changes[parent.change].before, of: before, at: ranges[parent.change], in: map, syntax)
            {
                containers.append((container, parent.position))
            }
            next = changes[parent.change].parent
        }
        return containers
    }

    /// The line break nearest to an offset.
    func lineBreak(at offset: Int) -> [UInt8] {
        let text = map.text
        if let start = text[..<offset].lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            let isPair = text[start] == 0x0A && start > 0 && text[start - 1] == 0x0D
            return isPair ? [0x0D, 0x0A] : [text[start]]
        }
        guard let start = text[offset...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
        return Array(text[start..<(LineBreak.end(at: start, of: text) ?? start + 1)])
    }
}
