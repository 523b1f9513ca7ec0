import Dispatch
import SaveCodec
import SaveOperations
import Synchronization

/// Reads files and checks them, several at a time. A file is read when its turn comes and forgotten when it is checked.
struct FileCheck: Sendable {
    let options: CheckOptionsByRule
    /// The folder that relative names start from.
    let folder: String
    /// What standard input holds, if that is to be checked.
    let input: [UInt8]

    /// How many files are checked at a time.
    static let workers = max(1, Process.processorCount)

    /// The verdicts on files, in their order; nil for those that were found in a folder and are none of ours.
    func verdicts(on files: ArraySlice<InputFile>, workers: Int = FileCheck.workers) -> [FileVerdict?] {
        guard workers > 1, files.count > 1 else { return files.map(verdict(on:)) }
        let next = Atomic(files.startIndex)
        let verdicts = Mutex([FileVerdict?](repeating: nil, count: files.count))
        DispatchQueue.concurrentPerform(iterations: min(workers, files.count)) { _ in
            while true {
                let position = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard position < files.endIndex else { return }
                let verdict = verdict(on: files[position])
                verdicts.withLock { $0[position - files.startIndex] = verdict }
            }
        }
        return verdicts.withLock { $0 }
    }

    private func verdict(on file: InputFile) -> FileVerdict? {
        let options = self.options[file.rules]
        do throws(SystemError) {
            if let failure = file.failure { throw failure }
            return file.name == "-" ? options.verdict(on: input, of: file) : try verdict(reading: file, options)
        } catch {
            return options.failurePolicy.verdict(on: FileError(Invocation.shownName(file.name), error), of: file.name)
        }
    }

    /// What may take much memory is read and checked one at a time.
    private static let turn = Mutex(())

    private func verdict(reading file: InputFile, _ options: CheckOptions) throws(SystemError) -> FileVerdict? {
        let descriptor = try Descriptor(opening: FileSystem.path(file.name, from: folder), for: .reading)
        if file.isFound, !FoundFile.hasTellingName(file.name) {
            guard FoundFile.hasTellingHead(try descriptor.read(at: 0, count: FoundFile.headSize)) else { return nil }
        }
        guard try descriptor.status().mayBeLarge else {
            return options.verdict(on: try descriptor.readToEnd(), of: file)
        }
        return try Self.turn.withLock { _ throws(SystemError) in
            options.verdict(on: try descriptor.readToEnd(), of: file)
        }
    }
}

extension CheckOptions {
    /// The verdict on the bytes of a file.
    fileprivate func verdict(on bytes: [UInt8], of file: InputFile) -> FileVerdict {
        var validation = validation
        validation.format = validation.format ?? Format(ofEmpty: bytes, named: file.name)
        return failurePolicy.verdict(on: validation.report(on: bytes), of: file.name)
    }
}
