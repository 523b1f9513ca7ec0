/// Another text of the same format from which an edit copies new values. In a merge it is the other side's text.
///
///     ours    a = 3;        theirs    a = 1;              ─▶    a = 3;
///                                     b = 0x10; // b            b = 0x10; // b
///
/// A value is copied if the donor has an equal value in the corresponding slot: under the same keys, and for an
/// element, at the matching position.
package struct DonorText {
    /// A container of the edited document, as found in this text.
    private struct MatchedContainer {
        let id: ObjectID
        let range: Range<Int>
        /// For each member of the edited container, the position of the equal member in this text; nil for a member
        /// without one. The array itself is nil if all members have the same positions in both containers.
        var members: MemberOrigins?

        func position(of member: Int) -> Int? {
            guard let members else { return member }
            return members[member]
        }
    }

    package let document: Document
    let map: SourceMap
    private let format: Format
    private let syntax: any TextSyntax
    /// The number of times that each comment may still be copied.
    private var newComments: [ArraySlice<UInt8>: Int] = [:]
    /// The number of times that each comment of this text is expected in the result.
    private var expectedComments: [ArraySlice<UInt8>: Int] = [:]
    /// The containers by their numbers in the edited document.
    private var matches: [Int: MatchedContainer] = [:]
    private var edited: Document?
    /// The text of the container that was entered last, and its number in the edited document.
    private var entered: (container: ContainerText, number: Int)?

    /// - Parameters:
    ///   - base: The text of the common base of both sides; empty if it is unknown.
    ///   - ours: The text to edit, which is the other side of the merge.
    package init?(
        _ document: Document, at map: SourceMap, as format: Format, since base: [UInt8], ours: [UInt8]
    ) {
        guard let syntax = format.writing?.syntax(of: map) else { return nil }
        self.document = document
        self.map = map
        self.format = format
        self.syntax = syntax
        let theirs = Self.comments(in: map.text, as: format)
        let (was, mine) = (Self.comments(in: base, as: format), Self.comments(in: ours, as: format))
        for (comment, count) in theirs {
            let (was, mine) = (was[comment, default: 0], mine[comment, default: 0])
            newComments[comment] = count - was
            expectedComments[comment] = min(was, mine, count) + max(mine - was, count - was, 0)
        }
    }

    private static func comments(in text: [UInt8], as format: Format) -> [ArraySlice<UInt8>: Int] {
        format.definition.comments(in: text).reduce(into: [:]) { $0[text[$1], default: 0] += 1 }
    }

    var hasShortTags: Bool { syntax.hasShortTags }

    // MARK: Containers

    /// Returns a copy of the donor in which each container of the edited document is mapped to its counterpart in this
    /// text.
    ///
    /// A comment may be copied if it is new in this text. It may also be copied if the text to edit lacks it, because
    /// a merge of lines moved it away.
    ///
    /// - Parameters:
    ///   - changes: The changes from this text to the edited document; nil if they are equal.
    ///   - text: The text to edit.
    package func aligned(
        with edited: Document, _ changes: [ContainerChange]?, editing text: [UInt8]
    ) -> DonorText {
        var result = self
        let present = Self.comments(in: text, as: format)
        for (comment, count) in expectedComments {
            let missing = count - present[comment, default: 0]
            result.newComments[comment] = max(newComments[comment, default: 0], missing)
        }
        result.edited = edited
        result.matches = [:]
        guard let changes else {
            result.matches[edited.root.index] = MatchedContainer(id: document.root, range: map.root)
            return result
        }
        for (number, change) in changes.enumerated() {
            let range = change.parent.map { map.value($0.position, of: changes[$0.change].before) } ?? map.root
            var members = change.origins
            for position in change.replaced { members[position] = nil }
            for (position, slot) in change.moved where slot.change == number { members[position] = slot.position }
            result.matches[change.after.index] = MatchedContainer(id: change.before, range: range, members: members)
        }
        // A member whose own contents changed has no equal in this text.
        for change in changes { result.forgetChanged(in: change.after) }
        return result
    }

    private mutating func forgetChanged(in container: ObjectID) {
        guard let edited, matches[container.index]?.members != nil else { return }
        let object = edited.object(container)
        for member in 0..<object.count where matches[edited.member(member, of: object).index] != nil {
            matches[container.index]?.members?[member] = nil
        }
    }

    /// Matches the containers directly inside a matched container that are equal as a whole.
    mutating func matchMembers(of container: ObjectID) {
        guard let edited, let match = matches[container.index] else { return }
        entered = text(of: match).map { ($0, container.index) }
        let object = edited.object(container)
        for member in 0..<object.count {
            let value = edited.member(member, of: object)
            guard edited.object(value).kind.isContainer, matches[value.index] == nil,
                let position = match.position(of: member)
            else { continue }
            matches[value.index] = MatchedContainer(
                id: document.member(position, of: document.object(match.id)), range: map.value(position, of: match.id))
        }
    }

    // MARK: Texts

    /// Returns the donor's text of the value that equals a member's value; nil if no value does, or if its lines do not
    /// fit the new indentation.
    func value(_ member: Int, of container: ObjectID, in style: LineStyle?) -> [UInt8]? {
        guard let match = matches[container.index], let position = match.position(of: member) else { return nil }
        let isContainer = document.object(document.member(position, of: document.object(match.id))).kind.isContainer
        return text(map.value(position, of: match.id), isContainer: isContainer, in: style)
    }

    /// Returns the donor's text of the container that equals a whole container; nil if no container does, or if its
    /// lines do not fit the new indentation.
    func value(_ container: ObjectID, in style: LineStyle?) -> [UInt8]? {
        guard let match = matches[container.index], match.members == nil else { return nil }
        return text(match.range, isContainer: true, in: style)
    }

    /// Returns the text of a range; nil if its lines would need another indentation or other line breaks.
    private func text(_ range: Range<Int>, isContainer: Bool, in style: LineStyle?) -> [UInt8]? {
        let text = Array(map.text[range])
        guard isContainer, text.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        guard let style, map.text.blanks(ofLineAt: range.lowerBound) == style.indentation,
            text.contains(0x0D) == style.lineBreak.contains(0x0D)
        else { return nil }
        return text
    }

    /// Returns the key of a pair, and the text after it if that contains a comment; nil if the donor has no equal pair.
    func key(_ member: Int, of container: ObjectID) -> (text: [UInt8], gap: [UInt8]?)? {
        guard let (container, position) = text(around: member, of: container), container.isDictionary else {
            return nil
        }
        let key = container.key(position)
        guard !container.isShorthand(position) else { return (Array(map.text[key]), nil) }
        let gap = key.upperBound..<container.value(position).lowerBound
        let hasComment = Gap(gap, of: map.text, syntax).hasComment
        return (Array(map.text[key]), hasComment ? Array(map.text[gap]) : nil)
    }

    private func text(around member: Int, of container: ObjectID) -> (ContainerText, position: Int)? {
        guard let match = matches[container.index], let position = match.position(of: member) else { return nil }
        if let entered, entered.number == container.index { return (entered.container, position) }
        return text(of: match).map { ($0, position) }
    }

    private func text(of match: MatchedContainer) -> ContainerText? {
        ContainerText(match.id, of: document, at: match.range, in: map, syntax)
    }

    // MARK: Comments

    /// Returns the new comments of a member.
    ///
    /// - Parameter style: The lines at the new location; nil for members on one line.
    mutating func comments(
        of member: Int, of container: ObjectID, in style: LineStyle?
    ) -> ContainerText.MemberComments {
        guard let (container, position) = text(around: member, of: container) else { return .init() }
        return container.comments(of: position, in: style) { takeComments(in: $0) }
    }

    /// Whether a member follows the previous one with nothing but new comments between them.
    func isNextToPrevious(_ member: Int, of container: ObjectID) -> Bool {
        guard let (container, position) = text(around: member, of: container), position > 0 else { return false }
        let gap = container.gap(position)
        return gap.breaksLine && gap.lines.allSatisfy { $0.hasComment && newComments(in: $0.range) != nil }
    }

    /// Returns the comments in a range if all of them are new in this text; otherwise nil.
    private func newComments(in range: Range<Int>) -> [ArraySlice<UInt8>]? {
        let text = Array(map.text[range])
        let comments = format.definition.comments(in: text).map { text[$0] }
        return comments.allSatisfy { newComments[$0, default: 0] > 0 } ? comments : nil
    }

    /// Whether all comments in a range are new in this text. If so, they are counted as copied.
    private mutating func takeComments(in range: Range<Int>) -> Bool {
        guard let comments = newComments(in: range) else { return false }
        for comment in comments { newComments[comment, default: 0] -= 1 }
        return true
    }
}
