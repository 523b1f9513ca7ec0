import KeyedArchives
import SaveCodec
import SaveOperations

/// What addresses are looked up in: a file, or preferences over a file of registered defaults.
final class OverlaidFile {
    /// A value, and where it comes from.
    struct FoundDefault {
        /// The view that it is part of: of its file, or of a property list in data.
        let view: ObjectView
        let id: ViewID
        /// The name of its file.
        let file: String
        /// The position of the pair of the root that it is part of; nil for the root, and without defaults.
        let position: Int?
    }

    /// The name of the file.
    let name: String
    /// The file.
    private let save: Save
    /// All that is there.
    let view: ObjectView
    /// The defaults, and how they lie under the file; nil if there are none.
    let lower: (file: DefaultsFile, layers: DefaultsOverlay)?

    init(_ save: Save, of name: String, over defaults: DefaultsFile?) throws(Problem) {
        self.name = name
        self.save = save
        guard let defaults else {
            view = save.view
            lower = nil
            return
        }
        let layers = try DefaultsOverlay(save.view, over: defaults.defaults, limits: save.limits)
        self.view = layers.view
        lower = (defaults, layers)
    }

    /// The value at an address. Where there is none, that is said.
    func place(of address: JSONPointer, nesting: Nesting? = nil, _ invocation: Invocation) -> FoundDefault? {
        let found = lower?.layers.find(address)
        switch found?.lookup ?? view.find(address) {
        case .found(let id, let view):
            return FoundDefault(view: view, id: id, file: file(of: found?.position), position: found?.position)
        case .missing(let missing):
            invocation.printError(line(for: missing, at: address))
            return nil
        }
    }

    /// The name of the file that the pair at a position of the root comes from.
    private func file(of position: Int?) -> String {
        guard let position, let lower, case .defaults = lower.layers.origins[position] else { return name }
        return lower.file.name
    }

    private func line(for missing: MissingValue, at address: JSONPointer) -> String {
        guard let (file, layers) = lower else {
            return MissingValueLine.render(missing, at: address, in: name, line(of: missing.prefix))
        }
        let defaults = Invocation.shownName(file.name)
        guard layers.hidesDefault(at: address) else {
            return MissingValueLine.render(missing, at: address, in: name, besides: ", and no default in \(defaults)")
        }
        // What hides a default is in the file.
        let place = save.places.line(of: missing.prefix, in: save.view)
        let line = MissingValueLine.render(missing, at: address, in: name, place)
        let key = Shortened.address(address.prefix(1))
        return line + "; \(key) hides the default in \(defaults), which has a value there"
    }

    /// The line and column that an address leads to; nil if that is not known, or if it may be a default.
    func line(of address: JSONPointer) -> SourceLocation? {
        lower == nil ? save.places.line(of: address, in: view) : nil
    }

    /// Prints what of a value comes from the defaults, if anything does.
    func reportOrigin(of place: FoundDefault, at address: JSONPointer, _ invocation: Invocation) {
        guard let (file, layers) = lower else { return }
        let defaults = Invocation.shownName(file.name)
        let line = "\(Invocation.shownName(name)): \(Shortened.address(address)): "
        if place.position == nil, layers.defaultCount > 0 {
            let count = "\(layers.defaultCount) of " + Counted.of(layers.origins.count, "key")
            invocation.printError(line + count + " not set; the defaults in \(defaults) stand for them")
        } else if let position = place.position, case .defaults = layers.origins[position] {
            invocation.printError(line + "not set; this is the default in \(defaults)")
        }
    }
}

/// A file of registered defaults.
final class DefaultsFile {
    let file: SaveFile
    let defaults: RegisteredDefaults

    var name: String { file.name }

    /// Reads a file, in the format that its content tells.
    init(reading name: String, _ options: ReadOptions, _ invocation: Invocation) throws {
        let (save, defaults) = try invocation.inFile(name) {
            let reading = ReadOptions(decodes: options.decodes, limits: options.limits, isRaw: options.isRaw)
            let save = try invocation.open(name, FileReading(reading))
            return (save, try RegisteredDefaults(save.view))
        }
        file = SaveFile(save, name: name)
        self.defaults = defaults
    }
}

extension Arguments {
    /// The file of defaults that is named; nil for none.
    ///
    /// - Parameter files: the files that it is laid under; none for standard input.
    func defaults(under files: [String]) throws(UsageError) -> String? {
        guard let name = value(of: .defaults) else { return nil }
        if name == "-", files.isEmpty || files.contains("-") { throw .inputTwice }
        return name
    }
}

extension Option {
    static let defaults = Option(
        "defaults", name: "FILE",
        for: .input,
        help:
            "lay the registered defaults in FILE, of any format, under the preferences, and tell what comes from there"
    )
}
