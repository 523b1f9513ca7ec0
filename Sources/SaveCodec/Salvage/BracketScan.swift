/// The number of containers that the rest of a text closes, as far as its tokens were scanned for brackets.
struct BracketScan {
    /// The offset up to which tokens were scanned.
    private(set) var end = 0
    /// The number of containers that the text closes from the current token on; nil if more damage makes it unknown.
    private(set) var depth: Int?
    /// Whether the last scanned token ends a dictionary rather than an array; nil if it ends neither.
    private(set) var isLastDictionary: Bool?
    /// For each container that the scanned text ends without beginning it, whether it is a dictionary; innermost first.
    private(set) var lostContainers: [Bool] = []
    /// Whether the scanned text has scalars or begins containers.
    private(set) var hasValues = false

    /// Moves past a token.
    mutating func pass(_ token: SalvageToken) {
        guard token.range.lowerBound < end else { return }
        depth = depth.map { $0 + token.depthChange }
    }

    /// Extends the count to a token directly before the scanned ones.
    mutating func include(_ token: SalvageToken) {
        depth = depth.map { $0 - token.depthChange }
    }

    /// Ends the scan at the end of a text in which no container can continue.
    mutating func stop(atEnd end: Int) { (self.end, depth) = (end, nil) }

    /// Counts the containers that the text from a token on closes, if it has no further damage.
    ///
    /// - Parameter isBare: Whether the root has no brackets.
    /// - Returns: Whether the text opens and closes the same number.
    mutating func scan(
        from first: SalvageToken, in syntax: inout some SalvageSyntax, within work: inout RepairWork, isBare: Bool
    ) -> Bool {
        var (token, depth) = (first, 0)
        (isLastDictionary, lostContainers, hasValues) = (nil, [], false)
        while token.kind != .end, token.kind != .junk, work.maySearch(token) {
            depth -= token.depthChange
            isLastDictionary = if case .close(let isDictionary) = token.kind { isDictionary } else { nil }
            if token.kind != .separator, token.kind != .mark, isLastDictionary == nil { hasValues = true }
            if let isLastDictionary, depth > lostContainers.count { lostContainers.append(isLastDictionary) }
            token = syntax.token(from: token.range.upperBound)
        }
        end = token.range.lowerBound
        let bare = isBare ? 1 : 0
        self.depth =
            token.kind == .end && (isLastDictionary != nil || bare > 0) && depth + bare > 0 ? depth + bare : nil
        return token.kind == .end && depth == 0
    }
}

extension SalvageToken {
    /// The number of containers that the token opens; negative if it closes one.
    var depthChange: Int {
        switch kind {
        case .open: 1
        case .close: -1
        default: 0
        }
    }
}
