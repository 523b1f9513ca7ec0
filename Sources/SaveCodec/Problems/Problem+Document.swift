/// What can be wrong with a document in any format.
extension Problem {
    static func emptyDocument() -> Problem {
        Problem("document.empty", "there is no value; expected one")
    }

    static func documentTooLarge() -> Problem {
        Problem("limit.size", "the document takes more than 4 GiB; text formats are read up to that size")
    }

    static func tooDeep(_ limit: Int, at place: Place?) -> Problem {
        Problem("limit.depth", "more than \(limit) containers are nested in each other", at: place)
    }
}

extension Problem {
    static func expansionTooLarge(_ size: Int, allowed: Int) -> Problem {
        let found = size == .max ? "over 2^63" : "\(size)"
        return Problem(
            "limit.expansion",
            "shared objects written out in full would take \(found) bytes and objects; the limit for this file is \(allowed)"
        )
    }
}
