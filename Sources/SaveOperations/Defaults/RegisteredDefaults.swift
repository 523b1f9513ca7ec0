package import KeyedArchives
package import SaveCodec

/// What an application registers as defaults: the values that its preferences have as long as nobody has set others.
package struct RegisteredDefaults: Sendable {
    /// The view of the file.
    package let view: ObjectView
    let keys: RootKeys

    /// Takes the dictionary that a property list consists of as defaults.
    ///
    /// - Throws: a problem if it is something else, or a keyed archive.
    package init(_ view: ObjectView) throws(Problem) {
        try view.checkKeys(of: "defaults")
        self.view = view
        keys = RootKeys(of: view)
    }
}

extension ObjectView {
    /// Throws unless the view is of a property list that is a dictionary.
    func checkKeys(of what: StaticString) throws(Problem) {
        if archive != nil {
            throw Problem("defaults.archive", "found a keyed archive; expected a dictionary of \(what)")
        }
        guard case .dictionary = self[root].form else {
            let found = TypePhrase.of(root, in: self)
            throw Problem("defaults.root", "found \(found) at the root; expected a dictionary of \(what)")
        }
    }
}
