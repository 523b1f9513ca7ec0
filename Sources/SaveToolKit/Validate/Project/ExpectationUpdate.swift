import SaveCodec
import SaveOperations

/// The update of a project's expectations to the findings of the files:
///
///     {"files": ["Cut/*.save"], "expectInvalid": true}
///     {"files": ["Cut/*.save"], "expectInvalid": true, "expect": ["binary.truncated"]}
///
/// If the findings of a rule's files differ, the rule keeps only `expectInvalid`, for files to come. Each set of
/// findings gets a rule with the names of its files:
///
///     {"files": ["Bad/*"], "expectInvalid": true}
///     {"files": ["Bad/cut.plist", "Bad/short.plist"], "expect": ["xml.truncated"]}
///     {"files": ["Bad/empty.plist"], "expect": ["format.empty"]}
///
/// If all files are checked, names of files that no longer exist are removed, and rules that had only such names. If
/// only some files are checked, a rule that may match other files stays, and each set of findings that it does not
/// expect gets a rule, too.
///
/// Only rules that expect invalid files are changed. The rest of the project file keeps its text.
struct ExpectationUpdate {
    private let project: Project
    /// Whether only some files of the project are checked.
    private let isPartial: Bool
    /// The paths of the checked files, if they are not all files of the project.
    private var checked: Set<String> = []
    private var invalid: [InvalidFile] = []
    /// The valid files that a rule expects to be invalid, by rule.
    private var valid: [Int: [String]] = [:]
    /// The names of files that do not exist.
    private(set) var missing: [Project.RuleName] = []

    private struct InvalidFile {
        /// The path in the project.
        let path: String
        /// The rules that expect the file to be invalid.
        let rules: [Int]
        let ids: Set<String>
    }

    init(of project: Project, isPartial: Bool) {
        (self.project, self.isPartial) = (project, isPartial)
    }

    /// Records the findings of a file for its rules.
    mutating func add(_ file: FileVerdict) {
        let rules = file.rules.filter { project.file.rules[$0].expectsInvalid }
        if isPartial, let path = project.path(of: file.name) { checked.insert(path) }
        if file.verdict == .valid {
            for rule in rules { valid[rule, default: []].append(file.name) }
        } else if !rules.isEmpty, !file.expectableFindings.isEmpty, let path = project.path(of: file.name) {
            invalid.append(InvalidFile(path: path, rules: rules, ids: file.expectableFindings))
        }
    }

    /// Records the names of files that do not exist. Only rules that expect invalid files lose them.
    mutating func noteMissing(_ names: [Project.RuleName]) {
        missing = names.filter { project.file.rules[$0.rule].expectsInvalid }
    }

    // MARK: Changes

    /// The changes of a project file.
    private struct Changes {
        /// The rules whose expectations change, with the new ones: present ids that were found, then the others. Nil
        /// removes the expectations of a rule whose files differ.
        var changed: [(rule: ProjectRule, ids: [String]?)] = []
        /// The rules to add.
        var added: [(files: [String], ids: [String])] = []
        /// The rules that lose names, with the positions of these among their patterns.
        var shortened: [(rule: ProjectRule, positions: [Int])] = []

        var isEmpty: Bool { changed.isEmpty && added.isEmpty && shortened.isEmpty }
        /// The addresses of the rules that are removed, because they had only such names.
        var removed: [JSONPointer] {
            shortened.filter { $0.positions.count == $0.rule.files.count }.map(\.rule.address)
        }
    }

    private func changes() -> Changes {
        var sets: [Int: Set<String>] = [:]
        var mixed: Set<Int> = []
        for file in invalid {
            for rule in file.rules where sets.updateValue(file.ids, forKey: rule) ?? file.ids != file.ids {
                mixed.insert(rule)
            }
        }
        var changes = Changes()
        for (number, names) in Dictionary(grouping: missing, by: \.rule).sorted(by: { $0.key < $1.key }) {
            changes.shortened.append((project.file.rules[number], names.map(\.position)))
        }
        for (number, ids) in sets.sorted(by: { $0.key < $1.key }) {
            let rule = project.file.rules[number]
            guard isChecked(rule) else {
                mixed.insert(number)
                continue
            }
            let old = rule.expectedFindings ?? []
            let new = mixed.contains(number) ? nil : old.filter(ids.contains) + ids.subtracting(old).sorted()
            if new != rule.expectedFindings { changes.changed.append((rule, new)) }
        }
        var numbers: [Set<String>: Int] = [:]
        // A very long path is not a valid pattern.
        for file in invalid
        where mixed.isSuperset(of: file.rules) && !isExpected(file) && (try? Glob(Glob.quoting(file.path))) != nil {
            let number = numbers[file.ids] ?? changes.added.count
            if number == changes.added.count {
                numbers[file.ids] = number
                changes.added.append(([], file.ids.sorted()))
            }
            changes.added[number].files.append(file.path)
        }
        return changes
    }

    /// Whether all files of a rule were checked.
    private func isChecked(_ rule: ProjectRule) -> Bool {
        !isPartial || rule.files.allSatisfy { $0.onlyPath.map(checked.contains) ?? false }
    }

    /// Whether the rules that stay expect all findings of a file.
    private func isExpected(_ file: InvalidFile) -> Bool {
        isPartial && file.ids.isSubset(of: file.rules.flatMap { project.file.rules[$0].expectedFindings ?? [] })
    }

    /// Writes the expectations into the project file, and lists them on standard error.
    func write(_ invocation: Invocation) throws {
        let name = project.file.name
        let changes = changes()
        reportValid(invocation)
        if changes.isEmpty {
            guard valid.isEmpty else { return }
            return invocation.printError(
                "\(Invocation.shownName(name)): the expectations \(isPartial ? "of these files " : "")are up to date")
        }
        try invocation.inFile(name) {
            try invocation.whileEditing(name, reading: [name]) {
                let bytes = try invocation.read(name)
                guard project.file.content.hasText(bytes) else {
                    throw FileError(Invocation.shownName(name), .changedMeanwhile)
                }
                let edited = try Self.edited(bytes, changes)
                try invocation.replace(name) { $0.write(edited) }
            }
        }
        for (rule, positions) in changes.shortened {
            let names = positions.prefix(Self.maxFiles).compactMap { rule.files[$0].onlyPath.map(Invocation.shownName) }
            let change =
                positions.count == rule.files.count
                ? "removed this rule; its files are missing" : "removed missing files"
            invocation.printError(
                "\(Invocation.shownName(name)): \(TruncatedText.address(rule.address)): \(change): "
                    + Phrase.list(names, of: positions.count))
        }
        let removed = Set(changes.removed)
        var addresses: [JSONPointer: JSONPointer] = [:]
        for rule in project.file.rules where !removed.contains(rule.address) {
            addresses[rule.address] = Self.address(ofRule: addresses.count)
        }
        for (rule, ids) in changes.changed {
            let address = TruncatedText.address((addresses[rule.address] ?? rule.address).appending("expect"))
            let change = ids.map { "now " + $0.joined(separator: ", ") } ?? "removed, because the files differ"
            invocation.printError("\(Invocation.shownName(name)): \(address): \(change)")
        }
        for (position, rule) in changes.added.enumerated() {
            let address = Self.address(ofRule: addresses.count + position)
            let shown = rule.files.prefix(Self.maxFiles).map { Invocation.shownName($0) }
            let files = Phrase.list(shown, of: rule.files.count, more: "file")
            invocation.printError(
                "\(Invocation.shownName(name)): \(address): \(rule.ids.joined(separator: ", ")) in \(files)")
        }
    }

    private static let maxFiles = 3

    private static func address(ofRule number: Int) -> JSONPointer {
        JSONPointer.root.appending("validate").appending(String(number))
    }

    /// Prints the files that no longer belong to a rule, which only the user can take out of its patterns.
    private func reportValid(_ invocation: Invocation) {
        for number in valid.keys.sorted() {
            let rule = TruncatedText.address(project.file.rules[number].address)
            let names = valid[number] ?? []
            for name in names.prefix(Self.maxValid) {
                invocation.printError(
                    "\(Invocation.shownName(name)): valid, but the rule \(rule) in "
                        + "\(Invocation.shownName(project.file.name)) expects it to be invalid; remove it from this rule"
                )
            }
            let rest = names.count - Self.maxValid
            if rest > 0 { invocation.printError("… and \(Phrase.count(rest, "more valid file")) of \(rule)") }
        }
    }

    private static let maxValid = 20

    private static func edited(_ bytes: [UInt8], _ changes: Changes) throws(Problem) -> [UInt8] {
        var options = ReadOptions(format: .json)
        options.isMapped = true
        let save = try Save(bytes, options)
        var draft = Draft(save.view)
        for (rule, positions) in changes.shortened {
            let isEmpty = positions.count == rule.files.count
            let files = rule.address.appending("files")
            for address in isEmpty ? [rule.address] : positions.map({ files.appending(String($0)) }) {
                if let slot = EditSlot(address, in: save.view) { try draft.noteRemoval(at: slot) }
            }
        }
        for (rule, ids) in changes.changed {
            func slot(of member: String) -> EditSlot? { EditSlot(rule.address.appending(member), in: save.view) }
            guard let expect = slot(of: "expect"), let flag = slot(of: "expectInvalid") else { continue }
            if let ids {
                _ = try draft.set(value(list(ids)), at: expect, changesType: false)
            } else {
                try draft.noteRemoval(at: expect)
                _ = try draft.set(value(.boolean(true)), at: flag, changesType: false)
            }
        }
        // Each one is inserted after the last present rule, in front of the one inserted before.
        for (files, ids) in changes.added.reversed() {
            let rule = ReportJSON.object([("files", list(files.map(Glob.quoting))), ("expect", list(ids))])
            guard let end = EditSlot(JSONPointer.root.appending("validate").appending("-"), in: save.view) else {
                break
            }
            _ = try draft.insert(value(rule), at: end, allowsPartial: true)
        }
        return try save.edited(to: draft.editedView(limits: options.limits)).bytes()
    }

    private static func list(_ texts: [String]) -> ReportJSON { .array(texts.map { .string($0) }) }

    private static func value(_ value: ReportJSON) throws(Problem) -> GivenValue {
        var json = ByteWriter()
        var output = JSONOutput(.compact)
        output.write(value, to: &json)
        return try GivenValue(json: json.takeBytes())
    }
}

extension JSONPointer {
    fileprivate func appending(_ key: String) -> JSONPointer {
        var address = self
        address.append(key: Array(key.utf16))
        return address
    }
}
