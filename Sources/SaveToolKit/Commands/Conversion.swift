import KeyedArchive
import SaveCodec

/// What a document becomes before it is written: itself, an object graph, or another document.
enum Conversion {
    case document(Document, losses: [Problem])
    case graph(KeyedArchive)

    /// Makes of a document what the plan asks for.
    init(of document: Document, _ plan: ConvertPlan) throws(Problem) {
        guard plan.reading != .raw else {
            self = .document(document, losses: [])
            return
        }
        let document = GraphJSON.isPresent(in: document) ? try GraphJSON.archive(from: document) : document
        let isArchive = KeyedArchive.isArchive(document)
        switch plan.reading {
        case .plain:
            guard isArchive else { throw .notAnArchive() }
            let (plain, losses) = try PlainUnarchiver.plain(KeyedArchive(document, limits: plan.limits))
            self = .document(plain, losses: losses)
        case .archive where !isArchive:
            self = .document(try PlainArchiver.archive(of: document), losses: [])
        default:
            guard isArchive, plan.target == .json || plan.reading == .archive else {
                self = .document(document, losses: [])
                return
            }
            let archive = try KeyedArchive(document, limits: plan.limits)
            self = plan.target == .json ? .graph(archive) : .document(document, losses: [])
        }
    }

    /// What writing it loses.
    func losses(_ plan: ConvertPlan) -> [Problem] {
        switch self {
        case .document(let document, let losses): losses + document.losses(as: plan.target, limits: plan.limits)
        case .graph(let archive): GraphJSON.losses(in: archive)
        }
    }

    func write(_ plan: ConvertPlan, to output: inout ByteWriter) throws(Problem) {
        switch self {
        case .document(let document, _):
            try document.write(as: plan.target, to: &output, options: plan.options, limits: plan.limits)
        case .graph(let archive): try GraphJSON.write(archive, to: &output, options: plan.options)
        }
    }
}

extension Problem {
    fileprivate static func notAnArchive() -> Problem {
        Problem("plain.no-archive", "no keyed archive, so there is nothing to take out of one (\(Option.plain.shown))")
    }
}
