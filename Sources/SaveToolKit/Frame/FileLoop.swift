import KeyedArchive
import SaveCodec

extension Invocation {
    /// Does one thing with each file, standard input if there is none. A file that fails does not stop the others; the
    /// gravest result counts.
    func forEachFile(_ names: [String], _ body: (String) throws -> ExitStatus) throws -> ExitStatus {
        var status = ExitStatus.done
        for name in names.isEmpty ? ["-"] : names {
            do {
                status = max(status, try body(name))
            } catch let problem as Problem {
                say(ProblemLine.render(problem, in: name))
                if let hint = ArchiveHint.line(for: problem, in: name) { say(hint) }
                status = .cannot
            } catch let error as FileError {
                say(error.name + ": " + error.sentence)
                status = .cannot
            } catch is ClosedPipe {
                return status
            }
        }
        return status
    }

    /// The document in the bytes of a file. Says what the reader warns of.
    func document(_ bytes: [UInt8], of name: String, as format: Format, limits: Limits) throws(Problem) -> Document {
        let document = try Document.read(bytes, as: format, limits: limits)
        warn(document.warnings, in: name)
        return document
    }

    /// The view of the document in the bytes of a file: the object graph of an archive, unless it is wanted raw. Says
    /// what is wrong in objects that are shown all the same.
    func view(
        _ bytes: [UInt8], of name: String, as format: Format, limits: Limits, isRaw: Bool
    ) throws(Problem) -> ObjectView {
        let document = try document(bytes, of: name, as: format, limits: limits)
        let view = try ObjectView(of: document, limits: limits, isRaw: isRaw)
        if let archive = view.archive { warn(of: archive, in: name) }
        return view
    }

    /// Says the first of some warnings, and how many more there are.
    func warn(_ problems: [Problem], in name: String) {
        for problem in problems.prefix(Self.shownWarnings) {
            say(ProblemLine.render(problem, in: name, as: "warning"))
        }
        if problems.count > Self.shownWarnings {
            say("\(Self.shownName(name)): … and \(problems.count - Self.shownWarnings) more warnings")
        }
    }

    private static let shownWarnings = 10
}

extension ObjectView {
    /// The view that people expect of a document: the object graph of an archive and of graph JSON, unless they want it
    /// raw.
    convenience init(of document: Document, limits: Limits, isRaw: Bool) throws(Problem) {
        guard !isRaw else {
            self.init(document)
            return
        }
        let document = GraphJSON.isPresent(in: document) ? try GraphJSON.archive(from: document) : document
        if KeyedArchive.isArchive(document) {
            self.init(try KeyedArchive(document, limits: limits))
        } else {
            self.init(document)
        }
    }
}

/// What commands say of an archive beside their result, so that all of them say the same.
enum ArchiveHint {
    /// What to do about a file that is no sound archive; nil if the problem is another one.
    static func line(for problem: Problem, in name: String) -> String? {
        guard problem.id.hasPrefix("archive.") else { return nil }
        return Invocation.shownName(name)
            + ": not a sound keyed archive; \(Option.raw.shown) takes it as the property list that it is stored as"
    }
}

extension Invocation {
    /// Says which objects of Foundation's classes are not what their classes make them, and are taken as plain fields.
    func warn(of archive: KeyedArchive, in name: String) {
        warn(archive.remarks.filter { $0.severity == .error }, in: name)
    }
}

/// A problem as a line: `slot1.save: byte 0x1A4F: …`, `prefs.plist:12:7: …`, `slot1.save: /root/name: …`.
enum ProblemLine {
    /// Renders a problem of the file `name`; a word such as `warning` stands before the sentence.
    static func render(_ problem: Problem, in name: String, as word: String? = nil) -> String {
        var line = Invocation.shownName(name)
        switch problem.place {
        case .line(let number, let column): line += ":\(number):\(column)"
        case .byte, nil: break
        }
        if let word { line += ": " + word }
        if case .byte? = problem.place, let place = problem.place { line += ": \(place)" }
        if let address = problem.address { line += ": \(Shortened.address(address))" }
        return line + ": " + problem.message
    }
}
