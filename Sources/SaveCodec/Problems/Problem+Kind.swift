/// What code does about a problem depends on its area or its kind; ids are compared here and nowhere else.
extension Problem {
    /// What a problem is about, as its id begins.
    package enum Area: String, Sendable {
        /// What keeps a document from being a sound archive.
        case archive
        /// Graph JSON.
        case graph
        /// The form in which a score is sent.
        case form
    }

    /// A problem after which something else is to be done than after others.
    package enum Kind: String, Sendable {
        /// A value is to be replaced by one of another type.
        case otherType = "edit.type"
        /// A test of a patch has failed.
        case failedTest = "patch.test"
        /// A patch changes what is not there.
        case missingTarget = "patch.missing"
        /// A score is sent by somebody who does not know the salt.
        case wrongToken = "submission.token"
    }

    /// The area; nil for one that no code distinguishes.
    package var area: Area? { Area(rawValue: String(id.prefix { $0 != "." })) }

    /// The kind; nil for one that no code distinguishes.
    package var kind: Kind? { Kind(rawValue: id) }
}
