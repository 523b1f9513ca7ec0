import SaveCodec
import SaveOperations

/// The update of a project's expectations to the findings of the files:
///
///     {"files": ["Cut/*.save"], "expectInvalid": true}
///     {"files": ["Cut/*.save"], "expectInvalid": true, "expect": ["binary.truncated"]}
///
/// Only rules that expect invalid files are changed. The rest of the project file keeps its text.
struct ExpectationUpdate {
    private let project: Project
    private var found: [Int: Set<String>] = [:]
    /// The valid files that a rule expects to be invalid, by rule.
    private var valid: [Int: [String]] = [:]

    init(of project: Project) {
        self.project = project
    }

    /// Records the findings of a file for each of its rules.
    mutating func add(_ file: FileVerdict) {
        for rule in file.rules where project.file.rules[rule].expectsInvalid {
            found[rule, default: []].formUnion(file.expectableFindings)
            if file.verdict == .valid { valid[rule, default: []].append(file.name) }
        }
    }

    /// The rules whose expectations change, with the new ones: present ids that were found, then the others.
    private var changes: [(rule: ProjectRule, ids: [String])] {
        found.keys.sorted().compactMap { number in
            let rule = project.file.rules[number]
            let (ids, old) = (found[number, default: []], rule.expectedFindings ?? [])
            let new = old.filter(ids.contains) + ids.subtracting(old).sorted()
            return new.isEmpty || new == old ? nil : (rule, new)
        }
    }

    /// Writes the expectations into the project file, and lists them on standard error.
    func write(_ invocation: Invocation) throws {
        let name = project.file.name
        let changes = changes
        reportValid(invocation)
        if changes.isEmpty {
            guard valid.isEmpty else { return }
            return invocation.printError("\(Invocation.shownName(name)): the expectations are up to date")
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
        for (rule, ids) in changes {
            let address = TruncatedText.address(rule.address.appending("expect"))
            invocation.printError("\(Invocation.shownName(name)): \(address): now \(ids.joined(separator: ", "))")
        }
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

    private static func edited(
        _ bytes: [UInt8], _ changes: [(rule: ProjectRule, ids: [String])]
    ) throws(Problem) -> [UInt8] {
        var options = ReadOptions(format: .json)
        options.isMapped = true
        let save = try Save(bytes, options)
        var draft = Draft(save.view)
        for (rule, ids) in changes {
            guard let slot = EditSlot(rule.address.appending("expect"), in: save.view) else { continue }
            var json = ByteWriter()
            var output = JSONOutput(.compact)
            output.write(.array(ids.map { .string($0) }), to: &json)
            _ = try draft.set(GivenValue(json: json.takeBytes()), at: slot, changesType: false)
        }
        return try save.edited(to: draft.editedView(limits: options.limits)).bytes()
    }
}

extension JSONPointer {
    fileprivate func appending(_ key: String) -> JSONPointer {
        var address = self
        address.append(key: Array(key.utf16))
        return address
    }
}
