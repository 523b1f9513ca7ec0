import KeyedArchive
import SaveCodec

/// What a document becomes before it is written: itself, an object graph, or another document.
struct Conversion {
    private enum Result {
        case document(Document)
        case graph(KeyedArchive)
    }

    private let result: Result
    /// The archive, if the document was taken as one.
    let archive: KeyedArchive?
    /// What making it has lost.
    private let made: [Problem]

    /// Makes of a document what the plan asks for.
    init(of document: Document, _ plan: ConvertPlan) throws(Problem) {
        guard plan.reading != .raw else {
            self.init(.document(document))
            return
        }
        let document = GraphJSON.isPresent(in: document) ? try GraphJSON.archive(from: document) : document
        let isArchive = KeyedArchive.isArchive(document)
        switch plan.reading {
        case .plain:
            guard isArchive else { throw .notAnArchive() }
            let archive = try KeyedArchive(document, limits: plan.limits)
            let (plain, losses) = try PlainUnarchiver.plain(archive, limits: plan.limits)
            self.init(.document(plain), archive, made: losses)
        case .archive where !isArchive:
            self.init(.document(try PlainArchiver.archive(of: document)))
        case .natural where isArchive && plan.target == .json:
            let archive = try KeyedArchive(document, limits: plan.limits)
            self.init(.graph(archive), archive)
        case .archive: self.init(.document(document), try KeyedArchive(document, limits: plan.limits))
        default: self.init(.document(document))
        }
    }

    private init(_ result: Result, _ archive: KeyedArchive? = nil, made: [Problem] = []) {
        self.result = result
        self.archive = archive
        self.made = made
    }

    /// What writing it loses.
    func losses(_ plan: ConvertPlan) -> [Problem] {
        switch result {
        case .document(let document): made + document.losses(as: plan.target, limits: plan.limits)
        case .graph(let archive): GraphJSON.losses(in: archive)
        }
    }

    func write(_ plan: ConvertPlan, to output: inout ByteWriter) throws(Problem) {
        switch result {
        case .document(let document):
            try document.write(as: plan.target, to: &output, options: plan.options, limits: plan.limits)
        case .graph(let archive):
            try GraphJSON.write(archive, to: &output, options: plan.options, limits: plan.limits)
        }
    }
}

extension Problem {
    fileprivate static func notAnArchive() -> Problem {
        Problem("plain.no-archive", "no keyed archive, so there is nothing to take out of one (\(Option.plain.shown))")
    }
}
