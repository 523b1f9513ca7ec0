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
        for warning in document.warnings.prefix(Self.shownWarnings) {
            say(ProblemLine.render(warning, in: name, as: "warning"))
        }
        if document.warnings.count > Self.shownWarnings {
            say("\(Self.shownName(name)): … and \(document.warnings.count - Self.shownWarnings) more warnings")
        }
        return document
    }

    private static let shownWarnings = 10
}
