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
