import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// `savetool textconv`: writes a save as lines, for `git diff`.
enum TextConvCommand {
    static let command = Command(
        name: "textconv", summary: "write a save as lines for git diff", operands: [.file],
        examples: [
            "a save as lines": "savetool textconv swamp.save",
            "the property list that stores it": "savetool textconv --raw swamp.save",
            "lines of a property list": "savetool textconv prefs.plist",
        ],
        discussion: """
            Writes a save as lines that change only where the save does: with sorted keys, without positions and
            UIDs, and with the contents of nested saves. git calls it after git-setup.

            In a merge, git diff shows a conflict between markers, as in a text: our side, then theirs.

            A text that is not an archive is shown with its comments. With --raw, its values are shown; if most of
            it is in lines over 400 bytes, its values and a digest. An unreadable file is shown as text or digest,
            with exit status 0. The first line names the layers.
            """,
        exitStatus: [.done: "done, also for a damaged file", .cannot: "error"],
        options: [.checkedRule, .from, .unwrap, .unwrapAt, .raw, .opaque, .maxDepth, .maxWork],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let name = try arguments.soleOperand("FILE")
        let reading = try arguments.fileReading()
        let rules = try arguments.mergeRules()
        let bytes = try invocation.readFromGit(name)
        // git shows the output in a pager that lets some control characters through.
        try invocation.writeOutput(as: .json, isForEyes: true) { output in
            do throws(Problem) {
                let save = try reading.open(bytes) { invocation.warn($0, in: name) }
                if let marked = markedConflicts(of: bytes, at: name, by: rules, reading, invocation) {
                    output.write(marked)
                } else {
                    try write(save, isRaw: reading.options.isRaw, to: &output)
                }
            } catch {
                if let text = SourceLines(ofUnreadable: bytes) {
                    output.write("not read: \(error.description)\n")
                    text.write(to: &output)
                } else {
                    output.write("not shown: \(error.description)\n" + digest(of: bytes, "file"))
                }
            }
        }
        return .done
    }

    private static func write(_ save: Save, isRaw: Bool, to output: inout ByteWriter) throws(Problem) {
        if !isRaw, let text = try SourceLines(of: save) { return text.write(to: &output) }
        let layers = save.layers.isEmpty ? nil : save.layers.title
        try TextConvRenderer().render(save.view, in: layers, limits: save.limits, to: &output)
        guard !isRaw, save.format.has(.text) else { return }
        // The values do not show comments and ignored text. If the text is no archive, they do not show white space and
        // order either.
        let text = try save.format.definition.utf8Text(of: save.bytes)
        if save.view.archive == nil || save.source.ignoredTextStart != nil
            || !save.format.definition.comments(in: text).isEmpty
        {
            output.write(digest(of: text, "text"))
        }
    }

    /// Returns the line that stands for bytes whose contents are not shown in full.
    private static func digest(of bytes: [UInt8], _ noun: String) -> String {
        "\(noun): \(Phrase.count(bytes.count, "byte")), digest \(String(FNV1aHash.of(bytes), radix: 16))\n"
    }

    /// Returns the lines of a save with conflict markers around both sides of each open conflict. Returns nil for a
    /// save without an open conflict in the index of git.
    private static func markedConflicts(
        of bytes: [UInt8], at name: String, by rules: [MergeOptions.LocalRule], _ reading: FileReadOptions,
        _ invocation: Invocation
    ) -> [UInt8]? {
        // git passes a file of the work tree by its path from the top, and copies of other versions by absolute paths.
        guard name != "-", name.utf8.first != UInt8(ascii: "/"), !reading.options.isRaw,
            (try? FileSystem.status(invocation.path(".git"))) != nil,
            let index = try? GitIndex(from: invocation.folder), let conflict = try? index.conflict(at: name),
            let merge = try? ConflictedSave(conflict, in: index, by: rules),
            let present = ConflictedSave.open(bytes, at: name),
            let theirs = try? merge.takingTheirs(in: present)
        else { return nil }
        guard let ours = try? lines(of: present.save), let other = try? lines(of: theirs.save), ours != other else {
            return nil
        }
        return LineMerge.marked(ours: ours, theirs: other)
    }

    private static func lines(of save: Save) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(save, isRaw: false, to: &output)
        return output.takeBytes()
    }
}

/// Writes all values as lines that are suitable for a textual comparison:
///
///     keyed archive, NSKeyedArchiver
///     root: Map
///       charList: array
///         - Player #5d1c0a
///           health: 100
///           name: "Ada"
///         - Boss
///           minion: → Player #5d1c0a
///       currentLevelName: "Swamp"
///
/// A line does not depend on the positions of its neighbours, so adding or removing an object changes only its own
/// lines: keys are sorted, elements have no numbers, and shared objects have names (see ``SharedLabels``). Values are
/// typed JSON; data is Base64 in lines of 76 characters, unless it is a property list.
private final class TextConvRenderer {
    /// The number of indented levels. A chain of a million objects would otherwise take a terabyte of spaces. Deeper
    /// lines begin with the number of their level.
    private static let deepest = 200

    private var keys = NestedViewCache<[UInt8]>()
    private var labels = NestedViewCache<SharedLabels?>()

    /// Writes the lines of a save.
    ///
    /// - Parameter layers: The name of the layers around the file, or nil for none.
    func render(
        _ view: ObjectView, in layers: String?, limits: Limits, to output: inout ByteWriter
    ) throws(Problem) {
        let bound = OutputBound([view.document], output)
        var scope = Outline.Scope(
            repeatsShared: view.archive == nil && view.isExpandable(from: view.root, limits),
            nesting: NestedSaveOptions(limits: limits))
        scope.sortsKeys = true
        var outline = Outline(of: view, scope: scope)
        if let layers { output.write("in \(layers): ") }
        output.write(Self.heading(view))
        while !output.hasFailed, let step = outline.next() {
            guard case .value(let row) = step else { continue }
            write(row, outline, to: &output)
            try bound.check(output)
        }
    }

    /// Returns the line above the values, which describes the whole file.
    private static func heading(_ view: ObjectView) -> String {
        if let archive = view.archive { return "\(archive.kindName), \(SafeText.escaping(archive.archiver))\n" }
        let root = view[view.root]
        if case .scalar = root.variant { return "property list\n" }
        if view.databasePart(root, view.root) != nil { return view.word(of: root, view.root) + "\n" }
        return "property list, \(root.variant.typeName)\n"
    }

    private func write(_ row: Outline.Row, _ outline: borrowing Outline, to output: inout ByteWriter) {
        let depth = outline.depth - (row.isOpened ? 1 : 0)
        // The heading describes the root.
        if depth == 0, row.isOpened { return }
        let level = max(depth - 1, 0)
        let indentation = 2 * min(level, Self.deepest)
        output.write(UInt8(ascii: " "), times: indentation)
        if level > Self.deepest { output.write("[\(level)] ") }
        writeLabel(row, to: &output)
        writeValue(row, isField: isField(outline.container, row), indentation: indentation + 2, to: &output)
    }

    // MARK: Labels

    private func writeLabel(_ row: Outline.Row, to output: inout ByteWriter) {
        switch row.slot {
        case .start: break
        case .element: output.write("- ")
        case .entry(_, let key):
            if let word = row.level.view.text(key)?.unescapedBytes {
                output.write(word.span)
            } else {
                output.write(keys.shown(key.index, of: row.level) { Self.name(key, in: $0) })
            }
            output.write(": ")
        }
    }

    /// Returns a key that is not a plain word: a string in JSON, or another value in parentheses.
    private static func name(_ key: ViewID, in view: ObjectView) -> [UInt8] {
        var output = ByteWriter()
        if let text = view.text(key) {
            JSONString.write(text.units, to: &output)
        } else if let object = view.scalarObject(key) {
            output.write(UInt8(ascii: "("))
            ScalarText.writeTyped(object, of: view.document, to: &output)
            output.write(UInt8(ascii: ")"))
        } else {
            output.write("(" + ValueText.line(view[key], key, in: view).text + ")")
        }
        return output.takeBytes()
    }

    // MARK: Values

    private func writeValue(
        _ row: Outline.Row, isField: Bool, indentation: Int, to output: inout ByteWriter
    ) {
        let view = row.level.view
        switch row.presentation {
        case .opened, .closed, .annotated:
            let value = row.value
            output.write(what(value, row) + (value.contents.count == 0 ? " (empty)\n" : "\n"))
        case .scalar, .unreadable, .repeated:
            if let scalar = StoredScalar(row.id, in: view) {
                write(scalar, isField: isField, indentation: indentation, to: &output)
            } else {
                output.write("→ " + what(row.value, row) + "\n")
            }
        case .nested(let nested):
            let size = view.scalar(row.id).map { ValueText.size(of: $0, word: "data") } ?? ""
            output.write("\(size)\(Self.checksum(of: row)): " + Self.heading(nested.view))
            guard let scalar = StoredScalar(nested.view.root, in: nested.view) else { return }
            output.write(UInt8(ascii: " "), times: indentation)
            write(scalar, isField: false, indentation: indentation + 2, to: &output)
        }
    }

    /// Returns a checksum for a string that holds a nested save; empty for data. The lines show the values of the save,
    /// so only the checksum shows a change of white space in the string.
    private static func checksum(of row: Outline.Row) -> String {
        guard let text = row.level.view.text(row.id)?.utf8Bytes else { return "" }
        return ", CRC-32 " + String(CRC32.checksum(of: text.span), radix: 16)
    }

    /// Describes a container: its class or kind, and its name if it is shared.
    private func what(_ value: ViewValue, _ row: Outline.Row) -> String {
        let label = labels.shown(0, of: row.level) { $0.archive == nil ? nil : SharedLabels($0) }?[row.id]
        return row.level.view.word(of: value, row.id) + (label.map { " " + $0 } ?? "")
    }

    /// A scalar as it is stored.
    private struct StoredScalar {
        let object: StoredObject
        let id: ViewID
        let view: ObjectView

        /// Returns nil for a container.
        init?(_ id: ViewID, in view: ObjectView) {
            guard let object = view.scalarObject(id) else { return nil }
            (self.object, self.id, self.view) = (object, id, view)
        }
    }

    private func write(
        _ scalar: StoredScalar, isField: Bool, indentation: Int, to output: inout ByteWriter
    ) {
        let (object, id, view) = (scalar.object, scalar.id, scalar.view)
        if object.kind == .data, case let node = view.document.node(object), case .data(let bytes) = node {
            output.write(ValueText.size(of: node, word: view.word(for: .data, view.classPosition(of: id))) + "\n")
            return writeLines(bytes, indentation, to: &output)
        }
        if object.kind == .real, case .real32(let value) = view.document.node(object), value.isFinite {
            output.write(ScalarText.real(value) + " (32-bit)")
        } else {
            ScalarText.writeTyped(object, of: view.document, to: &output)
        }
        if isField, let storage = storage(object.kind, id, in: view) { output.write(storage) }
        output.write(UInt8(ascii: "\n"))
    }

    /// Returns the storage of a field if it is unusual. Numbers are usually stored in place, other values as objects.
    private func storage(_ kind: StoredObject.Kind, _ id: ViewID, in view: ObjectView) -> StaticString? {
        let isObject = view.uid(id) != nil
        switch kind {
        case .integer, .real, .true, .false: return isObject ? " (object)" : nil
        default: return isObject ? nil : " (in place)"
        }
    }

    /// Whether a row is a field of an object, or a root of an archive.
    private func isField(_ container: ViewID?, _ row: Outline.Row) -> Bool {
        guard row.level.view.archive != nil, let container, case .entry = row.slot else { return false }
        if container == row.level.view.root { return true }
        return if case .object = row.level.view[container].variant { true } else { false }
    }

    private func writeLines(_ bytes: ArraySlice<UInt8>, _ indentation: Int, to output: inout ByteWriter) {
        // 57 bytes are 76 characters of Base64.
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 57) {
            output.write(UInt8(ascii: " "), times: indentation)
            let line = Array(bytes[start..<min(start + 57, bytes.endIndex)])
            ScalarText.writeBase64(line, to: &output)
            output.write(UInt8(ascii: "\n"))
        }
    }
}

// MARK: Lines

/// The lines of a text file, shown as they are.
///
/// Characters that a terminal would act on are shown as `\u001B`. Backslashes before text that looks like such a
/// sequence are doubled, so that no two files are shown alike.
private struct SourceLines {
    private static let longestLine = 400

    private let text: [UInt8]
    private let hasMark: Bool

    /// Returns nil if the file is an archive or not text, or if most of it is in lines too long to be useful.
    init?(of save: Save) throws(Problem) {
        guard save.format.has(.text), save.view.archive == nil else { return nil }
        text = try save.format.definition.utf8Text(of: save.bytes)
        hasMark = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]].contains {
            save.bytes.starts(with: $0)
        }
        guard Self.hasShortLines(text) else { return nil }
    }

    /// Returns nil if the bytes are not text in UTF-8.
    init?(ofUnreadable bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        text = hasMark ? Array(bytes.dropFirst(3)) : bytes
        guard Self.hasShortLines(text) else { return nil }
    }

    /// Whether at least half of a text is in lines that are not too long. One long string does not hide a file's text.
    private static func hasShortLines(_ text: [UInt8]) -> Bool {
        var start = 0
        var longCount = 0
        for end in text.indices.lazy.filter({ text[$0] == 0x0A }) {
            if end - start > longestLine { longCount += end - start }
            start = end + 1
        }
        if text.count - start > longestLine { longCount += text.count - start }
        return longCount <= text.count / 2
    }

    func write(to output: inout ByteWriter) {
        if hasMark { output.write("\\uFEFF") }
        var start = 0
        while start < text.count, !output.hasFailed {
            let end = endOfRun(from: start)
            output.write(text, in: start..<end)
            start = end < text.count ? writeSpecial(at: end, to: &output) : end
        }
    }

    /// Returns the end of the text that is shown unchanged: the next backslash or character that a terminal could act
    /// on.
    private func endOfRun(from start: Int) -> Int {
        var end = start
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "\\"): return end
            case 0x20..<0x7F, 0x09, 0x0A: end += 1
            case 0x0D where end + 1 < text.count && text[end + 1] == 0x0A: end += 1
            default:
                let (scalar, length) = scalar(at: end)
                if SafeText.isActive(scalar) { return end }
                end += length
            }
        }
        return end
    }

    /// Writes a run of backslashes, or the escape sequence of a character. Returns the offset after it.
    private func writeSpecial(at start: Int, to output: inout ByteWriter) -> Int {
        let end = text[start...].firstIndex { $0 != UInt8(ascii: "\\") } ?? text.count
        if end > start {
            output.write(UInt8(ascii: "\\"), times: (end - start) * (isAmbiguous(behind: end) ? 2 : 1))
            return end
        }
        let (scalar, length) = scalar(at: start)
        for unit in String(scalar).utf16 {
            output.write("\\u" + Hexadecimal.text(unit, digits: 4))
        }
        return start + length
    }

    /// Whether backslashes before an offset, together with the text there, look like an escape sequence.
    private func isAmbiguous(behind offset: Int) -> Bool {
        guard offset < text.count else { return false }
        guard text[offset] == UInt8(ascii: "u") else { return endOfRun(from: offset) == offset }
        let digits = text[(offset + 1)...].prefix(4)
        return digits.count == 4 && digits.allSatisfy { $0.isDigit || $0.isUppercaseHexLetter }
    }

    private func scalar(at offset: Int) -> (Unicode.Scalar, length: Int) {
        var bytes = text[offset..<min(offset + 4, text.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }
}
