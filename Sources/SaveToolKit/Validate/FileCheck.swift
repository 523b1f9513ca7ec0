import SaveCodec
import SaveOperations

/// Checks files, several at a time.
struct FileCheck: Sendable {
    let options: CheckOptionsByRule
    let files: ParallelFiles

    /// The verdicts on files, in their order; nil for those that were found in a folder and are none of ours.
    func verdicts(on files: ArraySlice<InputFile>, workers: Int = ParallelFiles.workers) -> [FileVerdict?] {
        self.files.results(on: files, workers: workers) { verdict(on: $0, of: $1) }
    }

    func verdict(on bytes: Result<[UInt8], SystemError>, of file: InputFile) -> FileVerdict {
        let options = self.options[file.rules]
        switch bytes {
        case .failure(let error):
            return options.failurePolicy.verdict(
                on: FileError(Invocation.shownName(file.name), error), of: file.name)
        case .success(let bytes):
            var validation = options.validation
            validation.format =
                validation.format ?? Format(ofEmpty: bytes, named: file.name, decodes: validation.decodes)
            do throws(Problem) {
                let output = try options.filter?.output(of: bytes, validation.limits)
                let report = validation.report(on: output ?? bytes, outOf: output == nil ? nil : Filter.origin)
                return options.failurePolicy.verdict(on: report, of: file.name)
            } catch {
                let failure = FileError(Invocation.shownName(file.name), error.message)
                return options.failurePolicy.verdict(on: failure, of: file.name)
            }
        }
    }
}
