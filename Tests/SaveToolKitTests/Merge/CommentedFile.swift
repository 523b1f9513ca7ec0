import TestSupport

/// A random property list full of comments with unique numbers, such as `c12`. It can be written in any text format,
/// with each member on its own line, and edited at random.
struct CommentedFile {
    struct Member {
        var key: String
        var value: Value
        /// The comments on the lines above the member.
        var above: [Int] = []
        /// The comment before the member's separator.
        var inner: Int?
        /// The comment at the end of the member's last line.
        var behind: Int?
    }

    indirect enum Value {
        case number(Int)
        case members([Member])
        case elements([Member])
    }

    enum Style: String, CaseIterable {
        case xml, openstep, strings, json
    }

    var members: [Member] = []
    var end: [Int] = []
    private var lastComment: Int

    /// - Parameter isFlat: Whether all values are numbers.
    init(_ random: inout SeededGenerator, isFlat: Bool) {
        lastComment = 0
        for number in 0..<Int.random(in: 0..<7, using: &random) {
            members.append(member("k\(number)", depth: isFlat ? 2 : 0, &random))
        }
        end = comments(&random)
    }

    // MARK: Making

    private mutating func comment() -> Int {
        lastComment += 1
        return lastComment
    }

    private mutating func comments(_ random: inout SeededGenerator) -> [Int] {
        (0..<max(0, Int.random(in: -1...2, using: &random))).map { _ in comment() }
    }

    private mutating func member(_ key: String, depth: Int, _ random: inout SeededGenerator) -> Member {
        var member = Member(key: key, value: .number(Int.random(in: 0..<100, using: &random)))
        member.above = comments(&random)
        let count = Int.random(in: 0..<4, using: &random)
        switch depth < 2 ? Int.random(in: 0..<5, using: &random) : 4 {
        case 0: member.value = .members((0..<count).map { self.member("k\($0)", depth: depth + 1, &random) })
        case 1: member.value = .elements((0..<count).map { _ in self.member("", depth: 2, &random) })
        default: break
        }
        if Int.random(in: 0..<3, using: &random) == 0 { member.inner = comment() }
        if Bool.random(using: &random) { member.behind = comment() }
        return member
    }

    // MARK: Editing

    /// Returns the file with a few random edits.
    ///
    /// - Parameter side: A number that keeps the comments and keys of the two sides apart.
    func edited(_ random: inout SeededGenerator, side: Int, isFlat: Bool) -> CommentedFile {
        var file = self
        file.lastComment = 1000 * side
        for number in 0..<Int.random(in: 0..<5, using: &random) {
            let key = "n\(Bool.random(using: &random) ? side : 3)\(number)"
            file.members = file.edited(file.members, key: key, depth: isFlat ? 2 : 0, &random)
            if Int.random(in: 0..<6, using: &random) == 0 { file.end.append(file.comment()) }
        }
        return file
    }

    private mutating func edited(
        _ members: [Member], key: String, depth: Int, _ random: inout SeededGenerator
    ) -> [Member] {
        var members = members
        guard let position = members.indices.randomElement(using: &random) else {
            return [member(key, depth: depth, &random)]
        }
        switch Int.random(in: 0..<11, using: &random) {
        case 0: members.remove(at: position)
        case 1:
            let isArray = members[position].key.isEmpty
            members.insert(member(isArray ? "" : key, depth: max(depth, isArray ? 2 : 0), &random), at: position)
        case 2: members[position].above = [comment()]
        case 3: members[position].above = []
        case 4: members[position].behind = comment()
        case 5: members[position].behind = nil
        case 6: members[position].inner = comment()
        case 7: members[position].inner = nil
        default:
            switch members[position].value {
            case .number(let value): members[position].value = .number(value + 100)
            case .members(let inner):
                members[position].value = .members(edited(inner, key: key, depth: depth + 1, &random))
            case .elements(let inner):
                members[position].value = .elements(edited(inner, key: "", depth: 2, &random))
            }
        }
        return members
    }

    // MARK: Text

    /// Returns the file as text. An OpenStep text has one more pair, because an empty dictionary could also be JSON.
    func text(_ style: Style) -> String {
        let writer = CommentedFileWriter(style: style)
        switch style {
        case .xml:
            return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n"
                + writer.lines(members, "\t") + writer.comments(end, "\t") + "</dict>\n</plist>\n"
        case .openstep: return "{\n" + writer.lines(members, "  ") + writer.comments(end, "  ") + "  last = 1;\n}\n"
        case .strings: return writer.lines(members, "") + writer.comments(end, "") + "\"last\" = \"1\";\n"
        case .json: return "{\n" + writer.lines(members, "    ") + "}\n"
        }
    }

    static func comments(in text: String) -> Set<Int> {
        Set(text.matches(of: /\bc(\d+)\b/).compactMap { Int($0.output.1) })
    }
}

private struct CommentedFileWriter {
    let style: CommentedFile.Style

    func comments(_ comments: [Int], _ indentation: String) -> String {
        style == .json ? "" : comments.map { indentation + comment($0) + "\n" }.joined()
    }

    private func comment(_ number: Int) -> String {
        if style == .xml { return "<!-- c\(number) -->" }
        return number.isMultiple(of: 2) ? "// c\(number)" : "/* c\(number) */"
    }

    func lines(_ members: [CommentedFile.Member], _ indentation: String) -> String {
        members.enumerated().map { position, member in
            let line = key(member.key) + value(member.value, indentation)
            let inner = style == .openstep || style == .strings ? member.inner.map { " /* c\($0) */" } ?? "" : ""
            let behind = style == .json ? "" : member.behind.map { " " + comment($0) } ?? ""
            return comments(member.above, indentation) + indentation + line + inner
                + separator(member.key.isEmpty, isLast: position == members.count - 1) + behind + "\n"
        }.joined()
    }

    private func key(_ key: String) -> String {
        if key.isEmpty { return "" }
        switch style {
        case .xml: return "<key>\(key)</key>"
        case .openstep: return "\(key) = "
        case .strings: return "\"\(key)\" = "
        case .json: return "\"\(key)\": "
        }
    }

    private func separator(_ isElement: Bool, isLast: Bool) -> String {
        switch style {
        case .xml: ""
        case .json: isLast ? "" : ","
        case .openstep, .strings: isElement ? isLast ? "" : "," : ";"
        }
    }

    private func value(_ value: CommentedFile.Value, _ indentation: String) -> String {
        let inner = indentation + "  "
        switch (value, style) {
        case (.number(let number), .xml): return "<integer>\(number)</integer>"
        case (.number(let number), .strings): return "\"\(number)\""
        case (.number(let number), _): return "\(number)"
        case (.members(let members), .xml): return "<dict>\n\(lines(members, inner))\(indentation)</dict>"
        case (.members(let members), _): return "{\n\(lines(members, inner))\(indentation)}"
        case (.elements(let members), .xml): return "<array>\n\(lines(members, inner))\(indentation)</array>"
        case (.elements(let members), .json): return "[\n\(lines(members, inner))\(indentation)]"
        case (.elements(let members), _): return "(\n\(lines(members, inner))\(indentation))"
        }
    }
}
