import Dispatch
import SaveCodec
import SaveOperations
import Synchronization

/// Reads files and checks them, several at a time. A file is read when its turn comes and forgotten when it is checked.
struct FileCheck: Sendable {
    let demands: Demands
    /// The folder that relative names start from.
    let folder: String
    /// What standard input holds, if that is to be checked.
    let input: [UInt8]

    /// How many files are checked at a time.
    static let workers = max(1, processorCount)

    /// The verdicts on files, in their order; nil for those that were found in a folder and are none of ours.
    func verdicts(on files: ArraySlice<InputFile>, workers: Int = FileCheck.workers) -> [FileVerdict?] {
        guard workers > 1, files.count > 1 else { return files.map(verdict) }
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
        let demand = demands[file.rules]
        do throws(SystemError) {
            guard let bytes = try bytes(of: file) else { return nil }
            return demand.judgement.verdict(on: demand.validation.report(on: bytes), of: file.name)
        } catch {
            return demand.judgement.verdict(on: FileError(Invocation.shownName(file.name), error), of: file.name)
        }
    }

    /// The bytes of a file; nil for one that is none of ours.
    private func bytes(of file: InputFile) throws(SystemError) -> [UInt8]? {
        if let failure = file.failure { throw failure }
        if file.name == "-" { return input }
        let descriptor = try Descriptor(opening: FileSystem.path(file.name, from: folder), for: .reading)
        if file.isFound, !FoundFile.hasTellingName(file.name) {
            guard FoundFile.hasTellingHead(try descriptor.read(at: 0, count: FoundFile.headSize)) else { return nil }
        }
        return try descriptor.readToEnd()
    }
}
