/// The changed containers of a text, and the style of the text in and around them. Each property of a style is found
/// once for each container.
struct ChangedContainers {
    private let changes: [ContainerChange]
    private let before: Document
    private let map: SourceMap
    private let syntax: any TextSyntax
    /// The texts of containers by change number, kept for changes inside them and for transfers from them. Containers
    /// into which no members can be inserted have none.
    private var texts: [Int: ContainerText] = [:]
    /// The styles of the enclosing containers found so far, by change number.
    private var outerStyles: [Int: OuterStyle] = [:]
    /// The indentation units found so far, by change number.
    private var units: [Int: [UInt8]] = [:]
    /// Whether one level is four spaces and two levels are a tab, as in GNUstep's style.
    private lazy var joinsTabs =
        firstIndentation == [0x20, 0x20, 0x20, 0x20]
        && zip(map.text, map.text.dropFirst()).contains { $0 == 0x0A && $1 == 0x09 }
    private lazy var firstIndentation = findFirstIndentation()

    init(_ changes: [ContainerChange], of before: Document, at map: SourceMap, _ syntax: any TextSyntax) {
        self.changes = changes
        self.before = before
        self.map = map
        self.syntax = syntax
    }

    // MARK: Texts

    /// Returns the text of a changed container, even if the editor has not reached it; nil if no members can be
    /// inserted into it.
    mutating func text(_ number: Int) -> ContainerText? {
        if let known = texts[number] { return known }
        texts[number] = newText(number)
        return texts[number]
    }

    /// Returns the text of a container that was found before, or nil.
    func known(_ number: Int) -> ContainerText? { texts[number] }

    /// Returns the text of a container that is used only once, see ``text(_:)``.
    func newText(_ number: Int) -> ContainerText? {
        ContainerText(changes[number].before, of: before, at: range(number), in: map, syntax)
    }

    func range(_ number: Int) -> Range<Int> {
        guard let parent = changes[number].parent else { return map.root }
        return map.value(parent.position, of: changes[parent.change].before)
    }

    // MARK: Gaps

    /// The style of the containers that enclose a container.
    private struct OuterStyle {
        var keyGap: KeyGap?
        var memberGap: [UInt8]?
    }

    /// Returns the style of the containers that enclose a changed one. For each property, the nearest container with an
    /// example of it decides.
    private mutating func outerStyle(_ number: Int) -> OuterStyle {
        var path: [(number: Int, slot: ContainerChange.Slot)] = []
        var next = number
        while outerStyles[next] == nil, let parent = changes[next].parent {
            path.append((next, parent))
            next = parent.change
        }
        var style = outerStyles[next] ?? OuterStyle()
        for (number, slot) in path.reversed() {
            let container = texts[slot.change]
            style.keyGap = container?.keyGap(near: slot.position) ?? style.keyGap
            style.memberGap = container?.memberGap(near: slot.position) ?? style.memberGap
            outerStyles[number] = style
        }
        return style
    }

    mutating func keyGap(
        in container: ContainerText, near position: Int, _ number: Int, inLines: Bool
    ) -> KeyGap {
        container.keyGap(near: position)
            ?? outerStyle(number).keyGap
            ?? syntax.defaultKeyGap(inLines: inLines)
    }

    mutating func memberGap(
        in container: ContainerText, near position: Int, _ number: Int, _ keyGap: KeyGap? = nil
    ) -> [UInt8] {
        container.memberGap(near: position)
            ?? outerStyle(number).memberGap
            ?? syntax.defaultMemberGap(
                keyGap: keyGap ?? self.keyGap(in: container, near: position, number, inLines: false))
    }

    // MARK: Lines

    /// Returns the style of the lines of a new root.
    mutating func rootStyle() -> LineStyle {
        LineStyle(
            lineBreak: lineBreak(at: map.root.lowerBound), unit: firstIndentation ?? syntax.defaultIndentation,
            joinsTabs: joinsTabs, indentation: map.text.blanks(ofLineAt: map.root.lowerBound))
    }

    /// Returns the style of the lines near a position.
    mutating func lineStyle(of container: ContainerText, near position: Int, _ number: Int) -> LineStyle {
        let unit = indentationUnit(number)
        let offset =
            container.count > 0
            ? container.member(min(position, container.count - 1)).lowerBound : container.range.lowerBound
        var style = LineStyle(lineBreak: lineBreak(at: offset), unit: unit, joinsTabs: joinsTabs, indentation: [])
        if let indentation = container.indentation(near: position) {
            style.indentation = indentation
        } else if container.contents != container.range {
            style.indentation = map.text.blanks(ofLineAt: container.range.lowerBound)
            style = style.inner
        }
        return style
    }

    /// Returns the indentation unit of the nearest enclosing container with indented members, or else the first one in
    /// the file.
    private mutating func indentationUnit(_ number: Int) -> [UInt8] {
        var found: [UInt8]?
        var visited: [Int] = []
        var next: Int? = number
        while found == nil, let current = next {
            found = units[current] ?? text(current)?.indentationStep
            visited.append(current)
            next = changes[current].parent?.change
        }
        let unit = found ?? firstIndentation ?? syntax.defaultIndentation
        for number in visited { units[number] = unit }
        return unit
    }

    /// Finds the first increase of indentation between two lines of the root.
    private func findFirstIndentation() -> [UInt8]? {
        let text = map.text
        var outer = text.blanks(ofLineAt: map.root.lowerBound)
        var position = map.root.lowerBound
        while let end = text[position..<map.root.upperBound].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            position = end + 1
            let inner = Array(text[position..<map.root.upperBound].prefix { $0.isBlank })
            guard position + inner.count < map.root.upperBound,
                LineBreak.end(at: position + inner.count, of: text) == nil
            else { continue }
            if inner.count > outer.count, inner.starts(with: outer) { return Array(inner.dropFirst(outer.count)) }
            outer = inner
        }
        return nil
    }

    /// Returns the line break nearest to an offset, preferring one before it.
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
