import KeyedArchives
import SaveCodec
import SaveOperations

/// A merge of text files that keeps the comments, white space and spellings of both sides.
///
/// The lines are merged first. If the merged lines read as the merged values, they are the result. Otherwise they are
/// edited until they do, with the lines from ours at conflicts. If that fails, the file on our side is edited.
final class TextMerge {
    private let base: SaveFile?
    private let ours: SaveFile
    private let theirs: SaveFile
    /// The merged lines; see ``mergedLines(base:ours:theirs:taking:)``.
    private let merged: [UInt8]?
    /// The line ranges that both sides changed differently.
    private let conflicts: [LineMerge.Conflict]

    init(base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        let lines = Self.mergedLines(base: base, ours: ours, theirs: theirs, taking: [:])
        (merged, conflicts) = (lines?.bytes, lines?.conflicts ?? [])
    }

    /// Returns the merged lines as the bytes of a file, and the conflicts; nil if the files cannot be merged by lines.
    private static func mergedLines(
        base: SaveFile?, ours: SaveFile, theirs: SaveFile, taking choices: [Int: LineMerge.Choice]
    ) -> (bytes: [UInt8], conflicts: [LineMerge.Conflict])? {
        guard let was = base?.save.map, let mine = ours.save.map, let others = theirs.save.map,
            base?.format == ours.format, theirs.format == ours.format
        else { return nil }
        let lines = LineMerge(base: was.text, ours: mine.text, theirs: others.text, taking: choices)
        return mine.fileBytes(of: lines.text).map { ($0, lines.conflicts) }
    }

    /// Returns the file with the merged values.
    ///
    /// - Parameters:
    ///   - edited: The merged values; nil if they equal the values in ours.
    ///   - choices: The lines to use, by the index of a conflict of lines.
    func result(_ edited: ObjectView?, taking choices: [Int: LineMerge.Choice] = [:]) throws(Problem) -> EditedSave {
        try text(edited, taking: choices.merging(linesOfTheirs(for: edited)) { choice, _ in choice })
    }

    /// Returns the conflicts of lines at which the lines from theirs keep all comments, but those from ours do not: ours
    /// changed a value beside a comment that only theirs changed. The lines from theirs must not bring back a comment
    /// that ours removed.
    private func linesOfTheirs(for edited: ObjectView?) throws(Problem) -> [Int: LineMerge.Choice] {
        guard !conflicts.isEmpty else { return [:] }
        func lost(_ choices: [Int: LineMerge.Choice]) throws(Problem) -> [LostComment] {
            let result = try text(edited, taking: choices)
            return try lostComments { () throws(Problem) in try result.bytes() }
        }
        let known = try lost([:])
        var lines = Set(groups(of: known).compactMap(\.conflict))
        // The second attempt leaves out the lines of theirs that lose other comments.
        for _ in 0..<2 where !lines.isEmpty {
            let choices = Dictionary(uniqueKeysWithValues: lines.map { ($0, LineMerge.Choice.theirs) })
            let left = try lost(choices)
            if Set(left).isStrictSubset(of: known), try !restoresComments(choices, edited) { return choices }
            lines.subtract(groups(of: left).compactMap(\.conflict))
        }
        return [:]
    }

    /// Whether a result with the lines of some conflicts has a comment that ours removed.
    private func restoresComments(
        _ choices: [Int: LineMerge.Choice], _ edited: ObjectView?
    ) throws(Problem) -> Bool {
        guard let base else { return false }
        return MergedComments.restores(
            base: CommentedText(base.save), ours: CommentedText(ours.save), theirs: CommentedText(theirs.save),
            in: try text(of: text(edited, taking: choices).bytes()))
    }

    private func text(_ edited: ObjectView?, taking choices: [Int: LineMerge.Choice]) throws(Problem) -> EditedSave {
        let target = edited ?? ours.view
        let merged =
            choices.isEmpty ? merged : Self.mergedLines(base: base, ours: ours, theirs: theirs, taking: choices)?.bytes
        if let merged, reads(merged, as: target) { return EditedSave(holding: merged) }
        guard edited != nil || !choices.isEmpty else {
            return EditedSave(holding: ours.save.bytes)
        }
        let takesTheirs = choices.values.contains(.theirs)
        let donor = takesTheirs ? donor(ours, to: theirs) : donor(theirs, to: ours)
        return try ours.save.edited(to: target, beginningWith: merged, from: donor)
    }

    /// Returns the text of a side, from which the result copies the spelling of the values that this side changed.
    private func donor(_ side: SaveFile, to other: SaveFile) -> DonorText? {
        guard let map = side.save.map, theirs.format == ours.format else { return nil }
        return DonorText(
            side.save.source, at: map, as: side.format, since: (base?.save.map ?? other.save.map)?.text ?? [],
            ours: other.save.map?.text ?? [])
    }

    /// Whether a text that was merged by lines, as in git, has only warnings and key problems that a side has. Such a
    /// merge can turn two additions of one key into a duplicate key, and pairs into ignored text.
    static func accepts(_ merged: Save, from sides: [Save]) -> Bool {
        let known = Set(sides.flatMap(\.source.warnings).map(\.kind))
        guard merged.source.warnings.allSatisfy({ known.contains($0.kind) }) else { return false }
        let odd = sides.flatMap { $0.source.keyProblems() }
        return merged.source.keyProblems().allSatisfy(odd.contains)
    }

    /// Whether bytes, read in the format on our side, hold the values of a view, and are accepted.
    private func reads(_ bytes: [UInt8], as target: ObjectView) -> Bool {
        guard let save = try? ours.save.reopened(with: bytes, isMapped: false),
            (save.view.archive == nil) == (target.archive == nil)
        else { return false }
        guard Self.accepts(save, from: [base, ours, theirs].compactMap { $0?.save }) else { return false }
        return Difference(target, save.view, options: .stored(as: ours.format, ours.format)).changes.isEmpty
    }

    // MARK: Comments

    /// Returns the comments, the numbers with more digits than a value holds, and the changes of ignored text that are
    /// missing from the result.
    ///
    /// A number is not missing if the merge changed its value.
    ///
    /// - Parameter result: Returns the bytes of the result in the format on our side.
    func lostComments(in result: () throws(Problem) -> [UInt8]) throws(Problem) -> [LostComment] {
        guard ours.format.has(.text) || theirs.format.has(.text) else { return [] }
        let merged = try text(of: result())
        var lost = MergedComments.lost(
            base: base.map { CommentedText($0.save) }, ours: CommentedText(ours.save),
            theirs: CommentedText(theirs.save), in: merged)
        if !lost.isEmpty, let values = ours.format.definition.reals(in: merged.text) {
            lost.removeAll { loss in value(of: loss).map { !values.contains($0) } ?? false }
        }
        let lines = (ours: LineTable(ours.save.map?.text ?? []), theirs: LineTable(theirs.save.map?.text ?? []))
        return lost.map {
            LostComment($0, of: $0.isTheirs ? theirs : ours, at: $0.isTheirs ? lines.theirs : lines.ours)
        }
    }

    /// Returns the value of a number; nil for a comment.
    private func value(of lost: MergedComments.LostText) -> Double? {
        let file = lost.isTheirs ? theirs : ours
        return file.save.map.flatMap { file.format.definition.reals(in: Array($0.text[lost.range])) }?.first
    }

    /// Returns the comments, grouped by the answer that resolves them. Comments in conflicting lines form one group per
    /// conflict; every other comment is a group.
    func groups(of comments: [LostComment]) -> [LostCommentGroup] {
        var groups: [LostCommentGroup] = []
        var known: [Int: Int] = [:]
        var next = (ours: 0, theirs: 0)
        for comment in comments {
            let line = comment.line - 1
            let position =
                if comment.isIgnoredText {
                    conflict(ofIgnoredText: comment)
                } else if comment.isTheirs {
                    Self.advance(&next.theirs, to: line, in: conflicts, \.theirs)
                } else {
                    Self.advance(&next.ours, to: line, in: conflicts, \.ours)
                }
            if let position, let group = known[position] {
                groups[group].comments.append(comment)
            } else {
                if let position { known[position] = groups.count }
                groups.append(LostCommentGroup(conflict: position, comments: [comment]))
            }
        }
        return groups
    }

    /// Returns the index of the conflict of lines that contains a change of ignored text; nil if no conflict does.
    private func conflict(ofIgnoredText change: LostComment) -> Int? {
        let line = change.line - 1
        return conflicts.firstIndex {
            let lines = change.isTheirs ? $0.theirs : $0.ours
            // A side that removed lines has no lines in the conflict. The change is then on the line before or after.
            return lines.contains(line) || lines.isEmpty && (line...line + 1).contains(lines.lowerBound)
        }
    }

    /// Advances to the conflict that contains a line, counted from 0, and returns the conflict's index; nil if there is
    /// none. A call must not pass an earlier line than the call before.
    private static func advance(
        _ position: inout Int, to line: Int, in conflicts: [LineMerge.Conflict],
        _ lines: KeyPath<LineMerge.Conflict, Range<Int>>
    ) -> Int? {
        while position < conflicts.count, conflicts[position][keyPath: lines].upperBound <= line { position += 1 }
        guard position < conflicts.count, conflicts[position][keyPath: lines].contains(line) else { return nil }
        return position
    }

    /// Returns the text of a result, which is read only if a side has ignored text, because it may have some, too.
    private func text(of result: [UInt8]) throws(Problem) -> CommentedText {
        guard [base, ours, theirs].contains(where: { $0?.save.source.ignoredTextStart != nil }) else {
            return CommentedText(try ours.format.definition.utf8Text(of: result), as: ours.format)
        }
        return CommentedText(try ours.save.reopened(with: result, isMapped: false))
    }
}

/// A comment, a number with more digits than its value holds, or a change of ignored text, that one side has and the
/// result of a merge lacks.
struct LostComment: Hashable {
    private let file: String
    /// The layers around the text of the side; nil for none.
    private let layers: String?
    /// The line on its side, counted from 1.
    let line: Int
    let isTheirs: Bool
    let isIgnoredText: Bool
    /// The text on its side. It is empty if the side removed ignored text.
    private let text: [UInt8]

    fileprivate init(_ comment: MergedComments.LostText, of file: SaveFile, at lines: LineTable) {
        self.file = file.name
        layers = file.save.layers.located(.byte(0)).layers
        isTheirs = comment.isTheirs
        isIgnoredText = comment.isIgnoredText
        text = Array(file.save.map?.text[comment.range].prefix(4096) ?? [])
        if case .line(let line, _) = lines.location(of: comment.range.lowerBound) {
            self.line = line
        } else {
            line = 1
        }
    }

    var isNumber: Bool { !isIgnoredText && text.first != UInt8(ascii: "/") && text.first != UInt8(ascii: "<") }
    private var kind: String { isIgnoredText ? "ignored text" : isNumber ? "number" : "comment" }
    private var side: String { isTheirs ? "theirs" : "ours" }

    var row: ReportJSON {
        .object([
            ("kind", .string(isIgnoredText ? "ignored-text" : kind)), ("side", .string(side)), ("line", .integer(line)),
            (isIgnoredText ? "text" : kind, .string(String(decoding: text, as: UTF8.self))),
        ])
    }

    /// The beginning of an advice, which ends with "by hand".
    var remedy: String { text.isEmpty ? "remove the text" : "add it" }

    func shown(as word: String, _ fate: String = "cannot be kept") -> String {
        let text = SafeText.escaping(String(decoding: text.prefix(160), as: UTF8.self))
        let location = Invocation.shownName(file) + (layers.map { ": in the \($0): " } ?? ":") + "\(line)"
        let what = text.isEmpty ? "the removal of \(kind) in \(side)" : "the \(kind) \"\(text)\" from \(side)"
        return "\(location): \(word): \(what) \(fate)"
    }
}

/// Comments that are missing from the result of a merge and are resolved by one answer.
struct LostCommentGroup {
    /// The index of the conflict whose lines contain the comments; nil for none.
    let conflict: Int?
    var comments: [LostComment]

    /// Returns the possible answers.
    ///
    /// - Parameters:
    ///   - theirs: The missing comments if theirs is chosen at all conflicts.
    ///   - both: The missing comments if both sides are chosen at all conflicts.
    func answers(losing theirs: Set<LostComment>, or both: Set<LostComment>) -> [ConflictQuestions.Answer] {
        let others = comments.filter(\.isTheirs)
        // A group outside a conflict has no lines to choose. The answer `ours` then drops the missing comments of
        // theirs, and `theirs` drops the missing comments of ours. A side can be chosen only if none of its own
        // comments is missing.
        var answers: [ConflictQuestions.Answer] = others.count == comments.count ? [.ours] : []
        if others.isEmpty { answers.append(.theirs) }
        guard conflict != nil, !others.isEmpty else { return answers }
        if theirs.isDisjoint(with: others) { answers.append(.theirs) }
        // The result cannot have both spellings of a number.
        if !comments.contains(where: \.isNumber), both.isDisjoint(with: comments) { answers.append(.both) }
        return answers
    }
}

extension Invocation {
    /// Reports the comments and numbers that are missing from the result of a merge. Returns whether the result may be
    /// written.
    ///
    /// - Parameter advice: Advice to print if the result is written nonetheless; nil if it is not written.
    func accepts(_ comments: [LostComment], in name: String, isAllowed: Bool, advice: String?) -> Bool {
        let word = isAllowed ? "warning" : "conflict"
        for comment in comments.prefix(1000) { printError(comment.shown(as: word)) }
        if comments.count > 1000 {
            let more = Phrase.count(comments.count - 1000, "more \(word)")
            printError("\(Self.shownName(name)): … and \(more)")
        }
        if comments.isEmpty || isAllowed { return true }
        let count = Phrase.count(comments.count, "conflict")
        let dropped =
            comments.contains(where: \.isIgnoredText)
            ? "the change of ignored text" : comments.contains(where: \.isNumber) ? "the digits" : "the comments"
        let outcome =
            advice.map { "; the file is merged without \(dropped)\($0)" }
            ?? ", nothing written; use \(Option.allowLoss.shown) to drop \(dropped)"
        printError("\(Self.shownName(name)): \(count)\(outcome)")
        return false
    }
}
