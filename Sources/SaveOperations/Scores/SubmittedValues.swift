import SaveCodec

/// The values of the four fields of a submission, each of which is there once; nothing else is known of them.
struct SubmittedValues {
    private var values: [SubmissionField: String]

    init(token: String, name: String, score: String, device: String) {
        values = [.token: token, .name: name, .score: score, .device: device]
    }

    /// - Throws: `submission.unknown-field`, `submission.repeated-field`, `submission.missing-field`.
    init(_ fields: [URLEncodedForm.Field]) throws(Problem) {
        values = [:]
        for field in fields {
            guard let known = SubmissionField(rawValue: field.name) else { throw .submissionUnknownField(field.name) }
            guard values.updateValue(field.value, forKey: known) == nil else { throw .submissionRepeatedField(known) }
        }
        for field in SubmissionField.allCases where values[field] == nil { throw .submissionMissingField(field) }
    }

    subscript(field: SubmissionField) -> String { values[field] ?? "" }

    /// The body of a request that sends them. As in the game's own, the brackets in the names stand for themselves.
    var form: [UInt8] {
        let pairs = SubmissionField.allCases.map { Array(($0.rawValue + "=").utf8) + URLEncodedForm.encoded(self[$0]) }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}
