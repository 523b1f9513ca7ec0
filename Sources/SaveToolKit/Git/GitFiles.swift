import SaveCodec

/// The file of attributes and the settings of git, in which a setup is written and undone.
struct GitFiles {
    private let scope: GitSetup.Scope
    private let isApplied: Bool
    private let invocation: Invocation

    /// - Parameter isApplied: whether an undoing is carried out, and not only told.
    init(scope: GitSetup.Scope, isApplied: Bool, _ invocation: Invocation) {
        self.scope = scope
        self.isApplied = isApplied
        self.invocation = invocation
    }

    /// Writes a setup, and says which lines and settings are new.
    func apply(_ setup: GitSetup) throws -> ExitStatus {
        guard let file = attributesFile() else { return .cannot }
        try invocation.makeFolder(FileSystem.folder(of: file))
        let lines = try invocation.whileEditing(file, reading: [file]) {
            let (attributes, new) = setup.attributes(in: try read(file))
            if !new.isEmpty { try invocation.replace(file) { $0.write(attributes) } }
            return new
        }
        var settings: [String] = []
        if let old = setup.obsolete, value(of: old.key) != nil {
            if configure("--unset-all \(old.key) \(Shell.quoted(old.value))") { settings.append("- \(old.key)") }
        }
        for setting in setup.settings {
            let text = FileName.text(setting.value.utf8)
            guard value(of: setting.key) != text else { continue }
            guard configure("\(setting.key) \(Shell.quoted(text))") else { return refused(setting.key) }
            settings.append("+ \(setting.key) = \(setting.value)")
        }
        tell(file, lines.map { "+ " + FileName.text($0) }, settings)
        invocation.printError((lines.isEmpty && settings.isEmpty ? "nothing was to do; " : "") + "git is set up")
        if let path = invocation.environment["PATH"], !Self.isFound(along: path) {
            invocation.printError("savetool is in none of the folders of PATH, so git will not find it there")
        }
        return .done
    }

    /// Whether git finds savetool.
    private static func isFound(along path: String) -> Bool {
        path.split(separator: ":").contains { (try? FileSystem.status("\($0)/savetool"))?.kind == .regular }
    }

    /// Takes out what a setup has written, or says what that is.
    func undo() throws -> ExitStatus {
        guard let file = attributesFile() else { return .cannot }
        let lines = try invocation.whileEditing(file, reading: [file]) {
            let (attributes, gone) = GitSetup.attributesUndone(in: try read(file))
            guard isApplied, !gone.isEmpty else { return gone }
            // A file that was made for the setup goes with it, but none that git keeps.
            if attributes.isEmpty, !FileSystem.isLink(file), !isTracked(file) {
                FileSystem.remove(file)
            } else {
                try invocation.replace(file) { $0.write(attributes) }
            }
            return gone
        }
        let keys = GitSetup.keys.filter { value(of: $0) != nil }
        for key in keys where isApplied {
            guard configure("--unset-all \(key)") else { return refused(key) }
        }
        tell(file, lines.map { "- " + FileName.text($0) }, keys.map { "- " + $0 })
        guard !lines.isEmpty || !keys.isEmpty else {
            invocation.printError("nothing was to do; git is not set up")
            return .done
        }
        invocation.printError(isApplied ? "git is no longer set up" : "that is what --undo --apply takes out")
        return .done
    }

    private func isTracked(_ file: String) -> Bool {
        Shell.output(of: "git ls-files --error-unmatch -- \(Shell.quoted(file)) 2>&1", in: invocation.folder) != nil
    }

    /// The path of the file of attributes; nil, and a word, if there is none.
    private func attributesFile() -> String? {
        let file = Shell.output(of: scope.attributesPath, in: invocation.folder)
        if file == nil { invocation.printError("savetool: \(scope.refusal)") }
        return file
    }

    private func read(_ file: String) throws -> [UInt8] {
        try FileSystem.status(file) == nil ? [] : invocation.read(file)
    }

    // MARK: Settings

    /// The value of a setting of this scope, of several the last, which counts; nil if it has none.
    private func value(of key: String) -> String? {
        Shell.output(of: "git config \(scope.option) --get \(key)", in: invocation.folder)
    }

    /// Changes a setting; false if git does not take it.
    private func configure(_ change: String) -> Bool {
        Shell.output(of: "git config \(scope.option) \(change)", in: invocation.folder) != nil
    }

    private func refused(_ key: String) -> ExitStatus {
        invocation.printError("savetool: git did not take \(key)")
        return .cannot
    }

    /// Says what has changed where.
    private func tell(_ file: String, _ lines: [String], _ settings: [String]) {
        for (place, changes) in [(Invocation.shownName(file), lines), ("git config \(scope.option)", settings)]
        where !changes.isEmpty {
            invocation.printError("\(place):")
            for change in changes { invocation.printError("  " + FileName.shown(change)) }
        }
    }
}
