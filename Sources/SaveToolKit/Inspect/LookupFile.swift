import KeyedArchives
import SaveCodec
import SaveOperations

/// A file, with or without a defaults overlay, in which addresses are looked up.
final class LookupFile {
    /// A value and its origin.
    struct FoundValue {
        /// The view of the value: the view of its file or of a nested save.
        let view: ObjectView
        let id: ViewID
        /// The name of the value's file.
        let file: String
        /// The position of the root's pair that contains the value; nil for the root, or without a defaults overlay.
        let position: Int?
    }

    let name: String
    private let save: Save
    /// The view of the file, or of the preferences together with the defaults.
    let view: ObjectView
    /// The registered defaults and their overlay; nil for none.
    let lower: (file: DefaultsFile, overlay: DefaultsOverlay)?

    init(_ save: Save, of name: String, over defaults: DefaultsFile?) throws(Problem) {
        self.name = name
        self.save = save
        guard let defaults else {
            view = save.view
            lower = nil
            return
        }
        let overlay = try DefaultsOverlay(save.view, over: defaults.defaults, limits: save.limits)
        self.view = overlay.view
        lower = (defaults, overlay)
    }

    /// Whether there is a value at an address.
    func hasValue(at address: JSONPointer) -> Bool {
        guard case .found = lower?.overlay.find(address).lookup ?? view.find(address) else { return false }
        return true
    }

    /// Returns the value at an address, or nil after printing an error.
    func value(at address: JSONPointer, _ invocation: Invocation) -> FoundValue? {
        let found = lower?.overlay.find(address)
        switch found?.lookup ?? view.find(address) {
        case .found(let id, let view):
            return FoundValue(view: view, id: id, file: file(of: found?.position), position: found?.position)
        case .missing(let missing):
            invocation.printError(line(for: missing, at: address))
            return nil
        }
    }

    private func file(of position: Int?) -> String {
        guard let position, let lower, case .defaults = lower.overlay.origins[position] else { return name }
        return lower.file.name
    }

    private func line(for missing: MissingValue, at address: JSONPointer) -> String {
        guard let (file, overlay) = lower else {
            return MissingValueLine.render(missing, at: address, in: name, location(of: missing.prefix))
        }
        let defaults = Invocation.shownName(file.name)
        guard overlay.hidesDefault(at: address) else {
            return MissingValueLine.render(missing, at: address, in: name, besides: ", and no default in \(defaults)")
        }
        // The location is in the preferences, because their pair hides the default.
        let location = save.locations.line(of: missing.prefix, in: save.view)
        let line = MissingValueLine.render(missing, at: address, in: name, location)
        let key = TruncatedText.address(address.prefix(1))
        return line + "; \(key) hides the default in \(defaults), which has a value at this address"
    }

    /// Returns the location of the value at an address; nil if it is unknown, or with a defaults overlay.
    func location(of address: JSONPointer) -> SourceLocation? {
        lower == nil ? save.locations.line(of: address, in: view) : nil
    }

    /// Prints a note if a value is a default or, for the root, if some of its values are defaults.
    func reportOrigin(of found: FoundValue, at address: JSONPointer, _ invocation: Invocation) {
        guard let (file, overlay) = lower else { return }
        let defaults = Invocation.shownName(file.name)
        let line = "\(Invocation.shownName(name)): \(TruncatedText.address(address)): "
        if found.position == nil, overlay.defaultCount > 0 {
            let count = "\(overlay.defaultCount) of " + Phrase.count(overlay.origins.count, "key")
            invocation.printError(line + count + " not set; the defaults in \(defaults) apply")
        } else if let position = found.position, case .defaults = overlay.origins[position] {
            invocation.printError(line + "not set; this is the default in \(defaults)")
        }
    }
}

/// A file with registered defaults.
final class DefaultsFile {
    let file: SaveFile
    let defaults: RegisteredDefaults

    var name: String { file.name }

    /// Reads a file. Its format is detected, because `--from` applies to the preferences.
    init(reading name: String, _ options: ReadOptions, _ invocation: Invocation) throws {
        let (save, defaults) = try invocation.inFile(name) {
            let reading = ReadOptions(
                layers: LayerOptions(decodes: options.layers.decodes, findsKeys: options.layers.findsKeys),
                limits: options.limits, isRaw: options.isRaw)
            let save = try invocation.open(name, FileReadOptions(reading))
            return (save, try RegisteredDefaults(save.view))
        }
        file = SaveFile(save, name: name)
        self.defaults = defaults
    }
}

extension Arguments {
    /// Returns the name of the file of defaults; nil for none.
    ///
    /// - Parameter files: The preferences files; empty for standard input.
    /// - Throws: An error if standard input would be read twice.
    func defaults(under files: [String]) throws(UsageError) -> String? {
        guard let name = value(of: .defaults) else { return nil }
        if name == "-", files.isEmpty || files.contains("-") { throw .inputTwice }
        return name
    }
}

extension Option {
    static let defaults = Option(
        "defaults", name: "FILE",
        for: .input, help: "show registered defaults for keys that the preferences do not set")
}
