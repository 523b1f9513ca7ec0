import KeyedArchives
import SaveCodec
import SaveOperations

/// Text files merged so that both sides keep their comments, white space and spellings.
///
/// First the lines are merged. If what comes out reads as the merge of the values, it is the result; else it is edited
/// until it does, with the lines of ours where lines were in conflict, or else ours is.
final class TextMerge {
    private let base: SaveFile?
    private let ours: SaveFile
    private let theirs: SaveFile
    /// The merged lines, see ``mergedLines(taking:)``.
    private let merged: [UInt8]?
    /// The lines in which both sides changed something else.
    private let conflicts: [LineMerge.Conflict]

    init(base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        let lines = Self.mergedLines(base, ours, theirs, taking: [:])
        (merged, conflicts) = (lines?.bytes, lines?.conflicts ?? [])
    }

    /// The merged lines as bytes of a file, and where they are in conflict; nil if there is nothing to merge line by line.
    private static func mergedLines(
        _ base: SaveFile?, _ ours: SaveFile, _ theirs: SaveFile, taking choices: [Int: LineMerge.Choice]
    ) -> (bytes: [UInt8], conflicts: [LineMerge.Conflict])? {
        guard let was = base?.save.map, let mine = ours.save.map, let others = theirs.save.map,
            base?.format == ours.format, theirs.format == ours.format
        else { return nil }
        let lines = LineMerge(base: was.text, ours: mine.text, theirs: others.text, taking: choices)
        return mine.fileBytes(of: lines.text).map { ($0, lines.conflicts) }
    }

    /// The file that holds the merged values.
    ///
    /// - Parameters:
    ///   - edited: what the merge comes to; nil if that is ours.
    ///   - choices: the lines that are taken where they are in conflict.
    func result(_ edited: ObjectView?, taking choices: [Int: LineMerge.Choice] = [:]) throws(Problem) -> EditedSave {
        let target = edited ?? ours.view
        let merged = choices.isEmpty ? merged : Self.mergedLines(base, ours, theirs, taking: choices)?.bytes
        if let merged, reads(merged, as: target) { return EditedSave(holding: merged) }
        guard edited != nil || !choices.isEmpty else {
            return EditedSave(holding: ours.save.bytes)
        }
        return try ours.save.edited(to: target, beginningWith: merged, from: donor)
    }

    /// The text of theirs, from which comes what theirs changed or added.
    private var donor: DonorText? {
        guard let map = theirs.save.map, theirs.format == ours.format else { return nil }
        return DonorText(
            theirs.save.source, at: map, as: theirs.format, since: (base?.save.map ?? ours.save.map)?.text ?? [])
    }

    /// Whether some bytes are a file in the format of ours that holds the values of a view, and in which nothing is odd
    /// that is not odd in one of the sides: git, too, merges two additions of a key into one that stands twice.
    private func reads(_ bytes: [UInt8], as target: ObjectView) -> Bool {
        guard let save = try? ours.save.reopened(with: bytes, isMapped: false),
            (save.view.archive == nil) == (target.archive == nil)
        else { return false }
        let sides = [base, ours, theirs].compactMap { $0?.save.source }
        let known = Set(sides.flatMap(\.warnings).map(\.kind))
        guard save.source.warnings.allSatisfy({ known.contains($0.kind) }) else { return false }
        let odd = sides.flatMap { $0.keyProblems() }
        guard save.source.keyProblems().allSatisfy(odd.contains) else { return false }
        return Difference(target, save.view, options: .stored(as: ours.format, ours.format)).changes.isEmpty
    }

    // MARK: Comments

    /// The comments, and the numbers that no document holds, that have no place in the result.
    ///
    /// Digits are not lost where the values were merged to another one.
    ///
    /// - Parameter result: produces the bytes of the result, of the format that ours has.
    func lostComments(in result: () throws -> [UInt8]) throws -> [LostComment] {
        guard ours.format.has(.text) || theirs.format.has(.text) else { return [] }
        let text = try ours.format.definition.utf8Text(of: result())
        var lost = MergedComments.lost(
            base: try base.map { try comments(of: $0) }, ours: try comments(of: ours),
            theirs: try comments(of: theirs), in: CommentedText(text, as: ours.format))
        if !lost.isEmpty, let values = ours.format.definition.reals(in: text) {
            lost.removeAll { loss in value(of: loss).map { !values.contains($0) } ?? false }
        }
        let lines = (ours: LineTable(ours.save.map?.text ?? []), theirs: LineTable(theirs.save.map?.text ?? []))
        return lost.map {
            LostComment($0, of: $0.isTheirs ? theirs : ours, at: $0.isTheirs ? lines.theirs : lines.ours)
        }
    }

    /// The value of a number; nil for a comment.
    private func value(of lost: MergedComments.Lost) -> Double? {
        let file = lost.isTheirs ? theirs : ours
        return file.save.map.flatMap { file.format.definition.reals(in: Array($0.text[lost.range])) }?.first
    }

    /// The comments that one answer settles: those in lines that are in conflict, of which a side's are taken as a whole,
    /// and all others one by one.
    func groups(of comments: [LostComment]) -> [LostComments] {
        var groups: [LostComments] = []
        var known: [Int: Int] = [:]
        var next = (ours: 0, theirs: 0)
        for comment in comments {
            let line = comment.line - 1
            let position =
                if comment.isTheirs {
                    Self.advance(&next.theirs, to: line, in: conflicts, \.theirs)
                } else {
                    Self.advance(&next.ours, to: line, in: conflicts, \.ours)
                }
            if let position, let group = known[position] {
                groups[group].comments.append(comment)
            } else {
                if let position { known[position] = groups.count }
                groups.append(LostComments(conflict: position, comments: [comment]))
            }
        }
        return groups
    }

    /// Goes on to the conflict that a line stands in, if it stands in one; lines come in their order.
    private static func advance(
        _ position: inout Int, to line: Int, in conflicts: [LineMerge.Conflict],
        _ lines: KeyPath<LineMerge.Conflict, Range<Int>>
    ) -> Int? {
        while position < conflicts.count, conflicts[position][keyPath: lines].upperBound <= line { position += 1 }
        guard position < conflicts.count, conflicts[position][keyPath: lines].contains(line) else { return nil }
        return position
    }

    private func comments(of file: SaveFile) throws(Problem) -> CommentedText {
        if let map = file.save.map { return CommentedText(map.text, as: file.format) }
        return CommentedText(try file.format.definition.utf8Text(of: file.save.bytes), as: file.format)
    }
}

/// A comment of a side, or a number with its digits, that has no place in the result of a merge.
struct LostComment: Hashable {
    private let file: String
    /// What the side is in, if not in the file itself.
    private let layers: String?
    /// Where it stands on its side, counted from 1.
    let line: Int
    let isTheirs: Bool
    private let text: [UInt8]

    fileprivate init(_ comment: MergedComments.Lost, of file: SaveFile, at lines: LineTable) {
        self.file = file.name
        layers = file.save.wrapping.located(.byte(0)).layers
        isTheirs = comment.isTheirs
        text = Array(file.save.map?.text[comment.range].prefix(4096) ?? [])
        if case .line(let line, _) = lines.location(of: comment.range.lowerBound) {
            self.line = line
        } else {
            line = 1
        }
    }

    var isNumber: Bool { text.first != UInt8(ascii: "/") && text.first != UInt8(ascii: "<") }
    private var kind: String { isNumber ? "number" : "comment" }
    private var side: String { isTheirs ? "theirs" : "ours" }

    var row: JSONValue {
        .object([
            ("kind", .string(kind)), ("side", .string(side)), ("line", .integer(line)),
            (kind, .string(String(decoding: text, as: UTF8.self))),
        ])
    }

    func shown(as word: String, _ fate: String = "has no place in the result") -> String {
        let text = SafeText.escaping(String(decoding: text.prefix(160), as: UTF8.self))
        let place = Invocation.shownName(file) + (layers.map { ": in the \($0): " } ?? ":") + "\(line)"
        return "\(place): \(word): the \(kind) \"\(text)\" of \(side) \(fate)"
    }
}

/// Comments that have no place in the result of a merge and are settled by one answer.
struct LostComments {
    /// The position of the conflicting lines that they stand in; nil for none.
    let conflict: Int?
    var comments: [LostComment]

    /// The answers that can be carried out.
    ///
    /// - Parameters:
    ///   - theirs: what has no place where lines of theirs are taken at all conflicts.
    ///   - both: what has none where those of both are.
    func answers(losing theirs: Set<LostComment>, or both: Set<LostComment>) -> [ConflictQuestions.Answer] {
        let others = comments.filter(\.isTheirs)
        // What is left out is what is wanted of the other side.
        var answers: [ConflictQuestions.Answer] = others.count == comments.count ? [.ours] : []
        if others.isEmpty { answers.append(.theirs) }
        guard conflict != nil, !others.isEmpty else { return answers }
        if theirs.isDisjoint(with: others) { answers.append(.theirs) }
        // Of two ways to write a number there is one.
        if !comments.contains(where: \.isNumber), both.isDisjoint(with: comments) { answers.append(.both) }
        return answers
    }
}

extension Invocation {
    /// Says which comments and digits have no place in the result of a merge, and whether it is written all the same.
    ///
    /// - Parameter advice: how to go on with a result that is written in any case; nil if it is not.
    func accepts(_ comments: [LostComment], in name: String, isAllowed: Bool, advice: String?) -> Bool {
        let word = isAllowed ? "warning" : "conflict"
        for comment in comments.prefix(1000) { printError(comment.shown(as: word)) }
        if comments.count > 1000 { printError("\(Self.shownName(name)): … and \(comments.count - 1000) \(word)s more") }
        if comments.isEmpty || isAllowed { return true }
        let count = Counted.of(comments.count, "conflict")
        let dropped = comments.contains(where: \.isNumber) ? "the digits" : "the comments"
        let outcome =
            advice.map { "; the file is merged without \(dropped)\($0)" }
            ?? ", nothing written; \(Option.allowLoss.shown) drops \(dropped)"
        printError("\(Self.shownName(name)): \(count)\(outcome)")
        return false
    }
}
